import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * Returns an SQL expression that is true if a wallet has paid for a write of this service. Example: `select
 * ${hasPaid(sql, { wallet, usdc })} as has_paid`.
 *
 * The row of a paid write has the payment's nonce. Once the unneeded fields of the row are cleared, the row has a
 * digest instead. Rows with a nonce and rows with a digest have separate partial indexes, so the expression has two
 * parts.
 */
export function hasPaid(sql: Queryable, { wallet, usdc }: { wallet: Address; usdc: Address }) {
  return sql`(exists (
    select from service.intents
    where payment_asset = ${usdc} and initiator = ${wallet} and payment_nonce is not null
      and relay_mode in ('paid', 'prepaid', 'bound') and status = 'completed')
    or exists (select from service.intents where initiator = ${wallet} and payment_digest is not null))`
}
