import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** The number of decimals of each token, by the token's address. The value is null if the number is not known. */
export type DecimalsOf = ReadonlyMap<Address, number | null>

/**
 * Returns a map from the addresses of tokens to the numbers of their decimals. The indexer has read the numbers of the
 * reward token and of the vaults' tokens from the token contracts.
 */
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
