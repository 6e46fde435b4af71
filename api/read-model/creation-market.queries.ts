import { keepingPlans, type Queryable } from '../db/client.ts'
import type { CreationMarket } from '../domain/creation/creation-terms.ts'

/**
 * Returns the market's settings for a new task. If the market is not indexed yet, returns settings that refuse no task.
 * The simulation of the call on the chain can still refuse the task.
 */
export async function loadCreationMarket(sql: Queryable): Promise<CreationMarket> {
  const [market] = await keepingPlans(sql)<CreationMarket[]>`
    select paused as entries_paused, fee_bps as platform_fee_bps, default_hooks from market_config`
  return market ?? { entriesPaused: false, platformFeeBps: 0, defaultHooks: [] }
}
