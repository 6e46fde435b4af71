import { LRUCache } from 'lru-cache'
import type { Address, Hex } from 'viem'
import { MAX_SIGNATURE_BYTES } from '../../protocol/text/signature-size.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'

/** Known pairs of address and signature. Genuine and wrong ones apart: wrong ones must not evict genuine ones. */
const KEPT_GENUINE = 20_000
const KEPT_WRONG = 5_000
/** A contract wallet may change its mind about a signature. */
export const VERDICT_LIFETIME_SECONDS = 300
const VERDICT_LIFETIME_MS = VERDICT_LIFETIME_SECONDS * 1000
/** Clients whose wrong signatures are counted. */
const KEPT_CLIENTS = 50_000
const MINUTE_MS = 60_000
/** How long a request waits for a contract wallet's answer before it goes on anonymously. */
const TIMEOUT_MS = 2_000

/** An address and what is said to be its signature, lower case. Nothing is proven yet. */
export interface ReadClaim {
  address: Address
  signature: Hex
  /** When the signed text says that it ends, Unix seconds; absent in the form without an end. */
  expires?: bigint
}

/** One look at a claim. */
interface Look {
  /** Whose rate limit a wrong signature counts in: the client's IP. */
  client: string
  /** Checks the signature for good; null: it can become genuine at any time. What it throws means "unknown". */
  verify: () => Promise<boolean | null>
  /** Called when it cannot be found out whether the signature is genuine. */
  onUnknown: (error: unknown) => void
}

/** Whether a claim is genuine, as far as this process can say now: what it cannot say is false. */
export type CheckReadClaim = (claim: ReadClaim, look: Look) => Promise<boolean>

/** The claim of two headers; null when one of them is absent or cannot be what it should be. */
export function parseReadClaim(address: string | undefined, signature: string | undefined): ReadClaim | null {
  if (address === undefined || signature === undefined) return null
  if (signature.length > 2 + 2 * MAX_SIGNATURE_BYTES || !/^0x(?:[0-9a-f]{2}){64,}$/i.test(signature)) return null
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return null
  return { address: address.toLowerCase() as Address, signature: signature.toLowerCase() as Hex }
}

/**
 * Checks claims at a bounded price. A check takes 1.6 ms of this process, and a question to the node when no key has
 * signed. So verdicts are kept, equal claims at one time share a check, and each client has so many wrong signatures a
 * minute: beyond them its unknown claims count as wrong unchecked. A pair once found genuine is always looked at again:
 * a client behind an exhausted IP stays who it is.
 *
 * Kept in this process: asking the database would cost as much as the check it saves.
 * @param now milliseconds of a clock that never goes back
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
  // By their number, but not by `max`: that takes the room of all entries at once.
  const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
  /** When it was last found out. */
  const genuine = new LRUCache<string, number>(atMost(KEPT_GENUINE))
  const wrong = new LRUCache<string, true>({ ...atMost(KEPT_WRONG), ttl: VERDICT_LIFETIME_MS, ttlResolution: 0, perf })
  /** Wrong ones in the client's present minute, which begins with its first. */
  const spent = new LRUCache<string, number>({
    ...atMost(KEPT_CLIENTS),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf,
  })
  const underWay = new Map<string, Promise<boolean>>()

  const check = async (pair: string, { client, verify, onUnknown }: Look): Promise<boolean> => {
    // Taken before the check, so that many at one time cannot overdraw, and refunded for a genuine one.
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

  /** The check itself goes on and is remembered. */
  const inTime = async (verdict: Promise<boolean>) => (await withTimeout(verdict, patienceMs)) ?? false

  return async ({ address, signature, expires }, look) => {
    // The same signature under another end is another claim.
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
