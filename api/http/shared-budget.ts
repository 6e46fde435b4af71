import { LRUCache } from 'lru-cache'
import { type BudgetState, giveBackBudget, spendBudget } from '../db/budgets.queries.ts'
import type { Deps } from '../deps.ts'
import { clientNameInTables } from '../identity/client-name.ts'
import type { Budget, BudgetLimit } from './budgets.ts'

/** A client that was refused is refused for this long without asking the database again, milliseconds. */
const REFUSAL_MS = 1_000
const REMEMBERED_REFUSALS = 10_000

/** A budget that all processes on one database share. */
export function createSharedBudget({ sql, config }: Pick<Deps, 'sql' | 'config'>, limit: BudgetLimit): Budget {
  const { name, quota, windowSeconds } = limit
  const refusals = new LRUCache<string, BudgetState>({ max: REMEMBERED_REFUSALS, ttl: REFUSAL_MS })
  const keyOf = (client: string) => ({
    name,
    client: clientNameInTables(config.URL_SIGNING_SECRET, `budget ${name}`, client),
  })
  return {
    spend: async (client) => {
      const refused = refusals.get(client)
      if (refused !== undefined) return refused
      const state = await spendBudget(sql, { ...keyOf(client), quota, windowSeconds })
      if (!state.granted) refusals.set(client, state)
      return state
    },
    giveBack: async (client) => {
      await giveBackBudget(sql, keyOf(client))
    },
  }
}
