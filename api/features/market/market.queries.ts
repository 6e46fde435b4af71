import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** The hooks every new task gets, in order. */
export async function listDefaultHooks(sql: Queryable): Promise<Address[]> {
  const rows = await sql<{ defaultHooks: Address[] }[]>`select default_hooks from market_config`
  return rows[0]?.defaultHooks ?? []
}
