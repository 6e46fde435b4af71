import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { RelayerFunds } from './relayer-balances.ts'

/** How long a relayer's ether lasts at the rate of its last seven days. */
export interface RelayerRunway {
  address: Address
  /** Days until its balance is spent; null: it signed nothing in the last seven days. */
  days: number | null
}

/**
 * Reads how many days the balance of each relayer lasts, in the order of `relayers`. A transaction counts with
 * the most that its gas may cost, gas limit times maximum fee, and once however often it was replaced. That is above what it
 * costs with the chain's fee for its data, so that a relayer lasts longer rather than shorter. A relayer that is in use for
 * less than a week is measured by its own days, one at least.
 * @example await readRelayerRunway(sql, [{ address: '0x7099…79c8', balanceWei: 10n ** 16n }]) // [{ address, days: 12.5 }]
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
