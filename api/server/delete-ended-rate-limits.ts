import type { Deps } from '../deps.ts'
import { deleteEndedGasAccounts } from '../intents/gas-accounts.queries.ts'
import { deleteEndedRateLimits } from './rate-limits.queries.ts'

const POLL_INTERVAL_MS = 60_000
const BATCH_SIZE = 1_000

/**
 * Deletes the rows of rate limits and gas accounts whose time window has ended.
 * @returns the pause until the next run, in milliseconds
 */
export async function deleteEnded({ sql }: Pick<Deps, 'sql'>): Promise<number> {
  await deleteEndedGasAccounts(sql)
  return (await deleteEndedRateLimits(sql, BATCH_SIZE)) === BATCH_SIZE ? 0 : POLL_INTERVAL_MS
}
