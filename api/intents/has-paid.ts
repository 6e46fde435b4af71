import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * Returns the SQL condition that a wallet has paid for a write of this service. Example: `select ${hasPaid(sql, {
 * wallet, usdc })} as has_paid`.
 *
 * The row of a payment has a nonce. After the row was compressed (folded), it has a digest instead of the nonce. Rows
 * with a nonce and rows with a digest have separate partial indexes, so the condition has two parts.
 */
export function hasPaid(sql: Queryable, { wallet, usdc }: { wallet: Address; usdc: Address }) {
  return sql`(exists (
    select from service.intents
    where payment_asset = ${usdc} and initiator = ${wallet} and payment_nonce is not null
      and relay_mode in ('paid', 'prepaid', 'bound') and status = 'completed')
    or exists (select from service.intents where initiator = ${wallet} and payment_digest is not null))`
}
