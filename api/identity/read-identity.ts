import { LRUCache } from 'lru-cache'
import type { Address, Hex } from 'viem'
import { MAX_SIGNATURE_BYTES } from '../../protocol/text/signature-size.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'

/**
 * The sizes of two caches with results of signature checks. `KEPT_GENUINE`: the most entries for valid signatures.
 * `KEPT_WRONG`: the most entries for wrong signatures.
 */
const KEPT_GENUINE = 20_000
const KEPT_WRONG = 5_000
/**
 * The seconds for which the result of a signature check is cached. The result expires because a contract wallet may
 * revoke a signature.
 */
export const VERDICT_LIFETIME_SECONDS = 300
const VERDICT_LIFETIME_MS = VERDICT_LIFETIME_SECONDS * 1000
/** The largest number of clients whose wrong signatures are counted at the same time. */
const KEPT_CLIENTS = 50_000
const MINUTE_MS = 60_000
/**
 * The milliseconds that a request waits for a contract wallet's answer. After that, the request continues anonymously.
 */
const TIMEOUT_MS = 2_000

/** A caller's claimed identity: an address and a signature in lower case. The signature has not been verified. */
export interface ReadClaim {
  address: Address
  signature: Hex
  /**
   * The time in the signed text at which the signature expires, in Unix seconds; absent if the signed text has no such
   * time.
   */
  expires?: bigint
}

/** The parameters of one check of a claimed identity, in addition to the claim. */
interface Look {
  /** The client IP whose rate limit counts a wrong signature. */
  client: string
  /**
   * Verifies the signature. Returns null if the signature is wrong now but can become valid later, because its contract
   * wallet is not deployed yet. Throws if the result is unknown.
   */
  verify: () => Promise<boolean | null>
  /** Receives the error if the check cannot determine whether the signature is valid. */
  onUnknown: (error: unknown) => void
}

/**
 * Returns true if the signature of an identity is valid. Returns false if the signature is wrong or the result is
 * unknown.
 */
export type CheckReadClaim = (claim: ReadClaim, look: Look) => Promise<boolean>

/**
 * Parses a caller's claimed identity from the values of two headers. Returns null if a header is absent or malformed.
 */
export function parseReadClaim(address: string | undefined, signature: string | undefined): ReadClaim | null {
  if (address === undefined || signature === undefined) return null
  if (signature.length > 2 + 2 * MAX_SIGNATURE_BYTES || !/^0x(?:[0-9a-f]{2}){64,}$/i.test(signature)) return null
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return null
  return { address: address.toLowerCase() as Address, signature: signature.toLowerCase() as Hex }
}

/**
 * Creates the function that checks claimed identities. The results are cached. If several requests claim the same
 * identity at the same time, the signature is verified once. If a client has sent `wrongPerMinute` wrong signatures
 * within a minute, the function does not verify the client's further signatures and answers false. Exception: a
 * signature that was once found valid is still accepted, and verified again when the cached result has expired.
 * @param now returns the time of a monotonic clock in milliseconds
 */
export function createReadClaimCheck({
  wrongPerMinute,
  patienceMs = TIMEOUT_MS,
  now = () => performance.now(),
}: {
  wrongPerMinute: number
  patienceMs?: number
  now?: () => number
}): CheckReadClaim {
  const perf = { now }
  // `maxSize` limits the number of entries, because `max` would allocate memory for all entries at once.
  const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
  /**
   * The time in milliseconds at which each valid claim was last verified. The key consists of address, signature and
   * expiry.
   */
  const genuineClaims = new LRUCache<string, number>(atMost(KEPT_GENUINE))
  const wrongClaims = new LRUCache<string, true>({
    ...atMost(KEPT_WRONG),
    ttl: VERDICT_LIFETIME_MS,
    ttlResolution: 0,
    perf,
  })
  /**
   * The number of wrong proofs of identity (signatures or tokens) that each client sent within one minute. The minute
   * starts with the client's first wrong proof.
   */
  const wrongCounts = new LRUCache<string, number>({
    ...atMost(KEPT_CLIENTS),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf,
  })
  const runningChecks = new Map<string, Promise<boolean>>()

  const check = async (pair: string, { client, verify, onUnknown }: Look): Promise<boolean> => {
    // Consumed before the check, so that concurrent checks cannot overdraw, and refunded for a genuine claim.
    wrongCounts.set(client, (wrongCounts.get(client) ?? 0) + 1)
    try {
      const isGenuine = await verify()
      if (isGenuine === true) {
        genuineClaims.set(pair, now())
        wrongCounts.set(client, Math.max(0, (wrongCounts.get(client) ?? 0) - 1))
        return true
      }
      genuineClaims.delete(pair)
      if (isGenuine === false) wrongClaims.set(pair, true)
    } catch (error) {
      onUnknown(error)
    }
    return false
  }

  /** Waits for the result of a check for a limited time. The check continues after that, and its result is cached. */
  const inTime = async (verdict: Promise<boolean>) => (await withTimeout(verdict, patienceMs)) ?? false

  return async ({ address, signature, expires }, look) => {
    // The same signature with another end is another claim.
    const pair = `${address}:${signature}:${expires ?? ''}`
    const foundAt = genuineClaims.get(pair)
    if (foundAt !== undefined && now() - foundAt < VERDICT_LIFETIME_MS) return true
    if (wrongClaims.has(pair)) return false
    const sharedVerdict = runningChecks.get(pair)
    if (sharedVerdict !== undefined) return await inTime(sharedVerdict)
    if (foundAt === undefined && (wrongCounts.get(look.client) ?? 0) >= wrongPerMinute) return false
    const verdict = check(pair, look).finally(() => runningChecks.delete(pair))
    runningChecks.set(pair, verdict)
    return await inTime(verdict)
  }
}
