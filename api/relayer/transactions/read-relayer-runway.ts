import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { RelayerFunds } from './relayer-balances.ts'

/** A relayer, and the number of days for which its ether lasts at the rate of the last seven days. */
export interface RelayerRunway {
  address: Address
  /** The days until the balance is spent; null if the relayer signed nothing in the last seven days. */
  days: number | null
}

/**
 * Returns for how many days each relayer's balance lasts, in the order of `relayers`. The daily cost is the cost of all
 * nonces that were signed in the last seven days, divided by seven. If the relayer's first transaction is less than
 * seven days old, the cost is divided by its age in days, but at least by 1. The cost of a nonce is its gas limit times
 * its maximum fee. The real cost is lower, so the balance lasts longer.
 * @example await readRelayerRunway(sql, [{ address: '0x7099…79c8', balanceWei: 10n ** 16n }]) // [{ address, days: 12.5
 * }]
 */
export async function readRelayerRunway(
  sql: Queryable,
  relayers: readonly Pick<RelayerFunds, 'address' | 'balanceWei'>[],
): Promise<RelayerRunway[]> {
  const rows = await sql<{ address: Address; weiPerDay: bigint | null }[]>`
    select relayer.address, round(spent.wei / usage.days) as wei_per_day
    from unnest(${relayers.map(({ address }) => address)}::text[]) as relayer (address)
    cross join lateral (
      select sum(cost) as wei from (
        select max(gas_limit * max_fee_per_gas) as cost from service.attempts
        where relayer = relayer.address and created_at > now() - interval '7 days'
        group by nonce
      ) as costs
    ) as spent
    cross join lateral (
      select greatest(1, least(7, extract(epoch from now() - min(created_at)) / 86400)) as days
      from service.attempts where relayer = relayer.address
    ) as usage`
  return relayers.map(({ address, balanceWei }) => {
    const weiPerDay = rows.find((row) => row.address === address)?.weiPerDay ?? null
    return { address, days: weiPerDay === null ? null : Number(balanceWei) / Number(weiPerDay) }
  })
}
