import type { Address } from 'viem'
import type { Transaction } from '../db/client.ts'

/**
 * Withdrawals of a wallet that the service took within the last day, of every kind. What failed before it was sent does
 * not count. Others of the wallet wait until the caller's transaction ends, so that requests at one time are counted.
 */
export async function countWithdrawals(tx: Transaction, wallet: Address): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`withdrawals ${wallet}`}, 0))`
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from service.intents
    where initiator = ${wallet} and created_at > now() - interval '1 day'
      and operation in ('wallet.withdraw', 'wallet.withdrawToken', 'sponsoredTaskVaults.claim')
      and status <> 'reserved' and (status <> 'failed' or block_number is not null)`
  return row?.count ?? 0
}
