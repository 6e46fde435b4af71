import type { Address } from 'viem'
import type { Transaction } from '../db/client.ts'

/**
 * Returns the seconds until a wallet may withdraw again, or null if it may withdraw now. A wallet may make `max`
 * withdrawals in 24 hours: of USDC, of reward tokens and from vaults together. Withdrawals that failed without a mined
 * transaction do not count. Concurrent calls for the same wallet wait until the transaction `tx` ends.
 */
export async function findWithdrawalWait(tx: Transaction, wallet: Address, max: number): Promise<number | null> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`withdrawals ${wallet}`}, 0))`
  const [row] = await tx<{ seconds: number }[]>`
    select greatest(1, ceil(extract(epoch from created_at + interval '1 day' - now())))::int as seconds
    from service.intents
    where initiator = ${wallet} and created_at > now() - interval '1 day'
      and kind in ('transfer', 'claim') and status <> 'reserved' and (status <> 'failed' or block_number is not null)
    order by created_at desc offset ${max - 1} limit 1`
  return row?.seconds ?? null
}
