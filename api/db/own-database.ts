import type { Address } from 'viem'
import type { Queryable } from './client.ts'

interface Contracts {
  chainId: number
  forwarder: Address
}

/**
 * Makes this database the one of these contracts, or refuses it: the intents in it name no chain and no forwarder, so a
 * process that uses others would find none of them on chain, and fail what is on its way.
 * @throws Error when it belongs to other contracts
 */
export async function requireOwnDatabase(sql: Queryable, { chainId, forwarder }: Contracts): Promise<void> {
  await sql`
    insert into service.deployment (chain_id, forwarder) values (${chainId}, ${forwarder})
    on conflict (is_only_row) do nothing`
  const fault = await findForeignOwner(sql, { chainId, forwarder })
  if (fault !== null) throw new Error(fault)
}

/** Says to which other contracts this database belongs; null: to these, or to none yet. */
export async function findForeignOwner(sql: Queryable, { chainId, forwarder }: Contracts): Promise<string | null> {
  const [owner] = await sql<{ chainId: bigint; forwarder: Address }[]>`
    select chain_id, forwarder from service.deployment`
  if (owner === undefined || (owner.chainId === BigInt(chainId) && owner.forwarder === forwarder)) return null
  return (
    `this database belongs to the forwarder ${owner.forwarder} on chain ${owner.chainId}, and this process uses ` +
    `${forwarder} on chain ${chainId}: other contracts need a database of their own`
  )
}
