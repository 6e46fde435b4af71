import { LRUCache } from 'lru-cache'
import type { Address, Hex } from 'viem'
import { MAX_SIGNATURE_BYTES } from '../../protocol/text/signature-size.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'

/**
 * The cached pairs of address and signature. Wrong ones have a cache of their own, so they cannot evict genuine ones.
 */
const KEPT_GENUINE = 20_000
const KEPT_WRONG = 5_000
/** The lifetime of a verdict, because a contract wallet may revoke a signature. */
export const VERDICT_LIFETIME_SECONDS = 300
const VERDICT_LIFETIME_MS = VERDICT_LIFETIME_SECONDS * 1000
/** The number of clients whose wrong signatures are counted. */
const KEPT_CLIENTS = 50_000
const MINUTE_MS = 60_000
/** The wait for a contract wallet's answer before a request continues anonymously. */
const TIMEOUT_MS = 2_000

/** An address and its claimed signature, lower case. Nothing is proven yet. */
export interface ReadClaim {
  address: Address
  signature: Hex
  /** The end in the signed text, Unix seconds; absent in the form without an end. */
  expires?: bigint
}

/** The parameters of one check. */
interface Look {
  /** The client IP whose rate limit counts a wrong signature. */
  client: string
  /** Verifies the signature; null: it can still become genuine. Throws when the result is unknown. */
  verify: () => Promise<boolean | null>
  /** Receives the error when the result is unknown. */
  onUnknown: (error: unknown) => void
}

/** Returns true if a claim is genuine; false when that is unknown. */
export type CheckReadClaim = (claim: ReadClaim, look: Look) => Promise<boolean>

/** Parses the claim of two headers; null when one is absent or malformed. */
export function parseReadClaim(address: string | undefined, signature: string | undefined): ReadClaim | null {
  if (address === undefined || signature === undefined) return null
  if (signature.length > 2 + 2 * MAX_SIGNATURE_BYTES || !/^0x(?:[0-9a-f]{2}){64,}$/i.test(signature)) return null
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return null
  return { address: address.toLowerCase() as Address, signature: signature.toLowerCase() as Hex }
}

/**
 * Checks claims at a bounded cost. A check takes 1.6 ms of this process, and a node request when no key signed. So
 * verdicts are cached, concurrent equal claims share a check, and each client has a limit of wrong signatures a minute.
 * Beyond it the client's unknown claims count as wrong unchecked. A pair that was genuine once is always checked again,
 * so clients behind an exhausted IP keep their identity.
 *
 * The cache is local: a database query would cost as much as the check it saves.
 * @param now milliseconds of a monotonic clock
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
  // A limit by count without `max`, which would allocate the room of all entries at once.
  const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
  /** The time of the last successful check. */
  const genuine = new LRUCache<string, number>(atMost(KEPT_GENUINE))
  const wrong = new LRUCache<string, true>({ ...atMost(KEPT_WRONG), ttl: VERDICT_LIFETIME_MS, ttlResolution: 0, perf })
  /** The wrong claims in the client's present minute, which begins with its first. */
  const spent = new LRUCache<string, number>({
    ...atMost(KEPT_CLIENTS),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf,
  })
  const underWay = new Map<string, Promise<boolean>>()

  const check = async (pair: string, { client, verify, onUnknown }: Look): Promise<boolean> => {
    // Consumed before the check, so that concurrent checks cannot overdraw, and refunded for a genuine claim.
    spent.set(client, (spent.get(client) ?? 0) + 1)
    try {
      const isGenuine = await verify()
      if (isGenuine === true) {
        genuine.set(pair, now())
        spent.set(client, Math.max(0, (spent.get(client) ?? 0) - 1))
        return true
      }
      genuine.delete(pair)
      if (isGenuine === false) wrong.set(pair, true)
    } catch (error) {
      onUnknown(error)
    }
    return false
  }

  /** The check itself continues after the timeout and is cached. */
  const inTime = async (verdict: Promise<boolean>) => (await withTimeout(verdict, patienceMs)) ?? false

  return async ({ address, signature, expires }, look) => {
    // The same signature with another end is another claim.
    const pair = `${address}:${signature}:${expires ?? ''}`
    const foundAt = genuine.get(pair)
    if (foundAt !== undefined && now() - foundAt < VERDICT_LIFETIME_MS) return true
    if (wrong.has(pair)) return false
    const shared = underWay.get(pair)
    if (shared !== undefined) return await inTime(shared)
    if (foundAt === undefined && (spent.get(look.client) ?? 0) >= wrongPerMinute) return false
    const checking = check(pair, look).finally(() => underWay.delete(pair))
    underWay.set(pair, checking)
    return await inTime(checking)
  }
}
