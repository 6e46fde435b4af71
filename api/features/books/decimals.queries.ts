import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** The indexed decimals of tokens by address; a token without a row has none. */
export type DecimalsOf = ReadonlyMap<Address, number | null>

/** Returns the decimals of tokens; for the reward token and vaults, the answer of their contracts. */
export async function findDecimals(
  sql: Queryable,
  assets: readonly Address[],
  { usdc }: { usdc: Address },
): Promise<DecimalsOf> {
  const rows = await sql<{ asset: Address; decimals: number | null }[]>`
    select asset, case when asset = ${usdc} then 6 else coalesce(
      (select token_decimals from bonus_programme where token = asset limit 1),
      (select token_decimals from sponsored_vault where token = asset limit 1)
    ) end as decimals
    from unnest(${[...assets]}::text[]) as asset`
  return new Map(rows.map(({ asset, decimals }) => [asset, decimals]))
}
