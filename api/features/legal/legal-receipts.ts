import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/client.ts'
import type { Acceptance } from '../../domain/legal/receipt-fault.ts'
import { hashReceiptToken } from '../../domain/legal/receipt-token.ts'
import type { LegalReceipts } from '../../writes/legal-acceptance.ts'
import { findAcceptance } from './acceptances.queries.ts'

/** Remembered receipts; as many unknown ones again. */
const CACHED_RECEIPTS = 20_000
/** An acceptance never changes; an operator who deletes one waits this long at most. */
const ACCEPTANCE_LIFETIME_MS = 60_000
/** No caller can hold a receipt before it exists: this only spares the database repeated requests. */
const UNKNOWN_LIFETIME_MS = 5_000

/** One indexed query a receipt and minute; none for what does not look like one. */
export function createLegalReceipts(sql: Database, capacity = CACHED_RECEIPTS): LegalReceipts {
  const known = new LRUCache<string, Acceptance>({ max: capacity, ttl: ACCEPTANCE_LIFETIME_MS })
  // Apart from the known ones, so that a flood of made-up receipts displaces none of them.
  const unknown = new LRUCache<string, true>({ max: capacity, ttl: UNKNOWN_LIFETIME_MS })
  return {
    find: async (token) => {
      const hash = hashReceiptToken(token)
      if (hash === null) return null
      const key = hash.toString('base64')
      const remembered = known.get(key)
      if (remembered !== undefined || unknown.has(key)) return remembered ?? null
      const acceptance = await findAcceptance(sql, hash)
      if (acceptance === null) unknown.set(key, true)
      else known.set(key, acceptance)
      return acceptance
    },
  }
}
