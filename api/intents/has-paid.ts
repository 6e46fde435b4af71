import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * Returns the SQL condition that a wallet has paid for a write of this service. Use it in a query: `select
 * ${hasPaid(sql, { wallet, usdc })} as has_paid`. The row of a payment contains a nonce, or a digest if the write is
 * folded. The condition has one part for rows with a nonce and one for rows with a digest, because each partial index
 * contains only one of these kinds.
 */
export function hasPaid(sql: Queryable, { wallet, usdc }: { wallet: Address; usdc: Address }) {
  return sql`(exists (
    select from service.intents
    where payment_asset = ${usdc} and initiator = ${wallet} and payment_nonce is not null
      and relay_mode in ('paid', 'prepaid', 'bound') and status = 'completed')
    or exists (select from service.intents where initiator = ${wallet} and payment_digest is not null))`
}
