import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * Returns the condition that a wallet has paid for a write here: `select ${hasPaid(sql, { wallet, usdc })} as
 * has_paid`. Every payment has a nonce, or is folded to its digest; the condition names both, because each index
 * contains only rows with one.
 */
export function hasPaid(sql: Queryable, { wallet, usdc }: { wallet: Address; usdc: Address }) {
  return sql`(exists (
    select from service.intents
    where payment_asset = ${usdc} and initiator = ${wallet} and payment_nonce is not null
      and relay_mode in ('paid', 'prepaid', 'bound') and status = 'completed')
    or exists (select from service.intents where initiator = ${wallet} and payment_digest is not null))`
}
