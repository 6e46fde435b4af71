import type { Address } from 'viem'
import type { Queryable } from './client.ts'

interface Contracts {
  chainId: number
  forwarder: Address
}

/**
 * Assigns this database to the contracts of this process. Intents name no contracts, so a process for other contracts
 * would mark the intents as failed.
 * @throws Error if the database belongs to other contracts
 */
export async function requireOwnDatabase(sql: Queryable, { chainId, forwarder }: Contracts): Promise<void> {
  await sql`
    insert into service.deployment (chain_id, forwarder) values (${chainId}, ${forwarder})
    on conflict (is_only_row) do nothing`
  const fault = await findForeignOwner(sql, { chainId, forwarder })
  if (fault !== null) throw new Error(fault)
}

/**
 * Checks if this database belongs to other contracts than the given contracts. If so, returns a sentence that names
 * both. Returns null if the database belongs to the given contracts, or to no contracts yet.
 */
export async function findForeignOwner(sql: Queryable, { chainId, forwarder }: Contracts): Promise<string | null> {
  const [owner] = await sql<{ chainId: bigint; forwarder: Address }[]>`
    select chain_id, forwarder from service.deployment`
  if (owner === undefined || (owner.chainId === BigInt(chainId) && owner.forwarder === forwarder)) return null
  return (
    `this database belongs to the forwarder ${owner.forwarder} on chain ${owner.chainId}, and this process uses ` +
    `${forwarder} on chain ${chainId}: other contracts need a database of their own`
  )
}
