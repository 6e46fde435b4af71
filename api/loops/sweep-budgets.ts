import { deleteEndedBudgets } from '../db/budgets.queries.ts'
import type { Deps } from '../deps.ts'
import { deleteEndedGasAccounts } from '../intents/gas-accounts.queries.ts'

const SWEEP_EVERY_MS = 60_000
const BATCH_SIZE = 1_000

/** One sweep of budgets whose window is over: what a client did is forgotten with it. */
export async function sweepBudgets({ sql }: Deps): Promise<number> {
  await deleteEndedGasAccounts(sql)
  return (await deleteEndedBudgets(sql, BATCH_SIZE)) === BATCH_SIZE ? 0 : SWEEP_EVERY_MS
}
