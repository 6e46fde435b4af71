import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/client.ts'
import type { Acceptance } from '../../domain/legal/receipt-fault.ts'
import { hashReceiptToken } from '../../domain/legal/receipt-token.ts'
import type { LegalReceipts } from '../../writes/legal-acceptance.ts'
import { findAcceptance } from './acceptances.queries.ts'

/** The largest number of receipts in the cache of valid receipts, and in the separate cache of unknown receipts. */
const CACHED_RECEIPTS = 20_000
/**
 * The time in milliseconds for which an acceptance is cached. Acceptances never change, but an operator may delete one.
 */
const ACCEPTANCE_LIFETIME_MS = 60_000
/**
 * The time in milliseconds for which the cache remembers that a receipt does not exist. A new receipt works at once: it
 * is stored before the caller gets it, so it was never looked up and cached as unknown.
 */
const UNKNOWN_LIFETIME_MS = 5_000

/**
 * Creates a reader of receipts with a cache. A valid receipt is read from the database at most once in a minute. A
 * malformed receipt is refused without a query.
 */
export function createLegalReceipts(sql: Database, capacity = CACHED_RECEIPTS): LegalReceipts {
  const acceptances = new LRUCache<string, Acceptance>({ max: capacity, ttl: ACCEPTANCE_LIFETIME_MS })
  // A separate cache, so that a flood of invented receipts evicts no valid one.
  const unknownReceipts = new LRUCache<string, true>({ max: capacity, ttl: UNKNOWN_LIFETIME_MS })
  return {
    find: async (token) => {
      const hash = hashReceiptToken(token)
      if (hash === null) return null
      const key = hash.toString('base64')
      const knownAcceptance = acceptances.get(key)
      if (knownAcceptance !== undefined || unknownReceipts.has(key)) return knownAcceptance ?? null
      const acceptance = await findAcceptance(sql, hash)
      if (acceptance === null) unknownReceipts.set(key, true)
      else acceptances.set(key, acceptance)
      return acceptance
    },
  }
}
