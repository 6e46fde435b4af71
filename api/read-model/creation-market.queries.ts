import { keepingPlans, type Queryable } from '../db/client.ts'
import type { CreationMarket } from '../domain/creation/creation-terms.ts'

/**
 * Returns the market's settings for a new task. If the market is not indexed yet, the settings refuse no task. The
 * simulation on chain can still refuse it.
 */
export async function loadCreationMarket(sql: Queryable): Promise<CreationMarket> {
  const [market] = await keepingPlans(sql)<CreationMarket[]>`
    select paused as entries_paused, fee_bps as platform_fee_bps, default_hooks from market_config`
  return market ?? { entriesPaused: false, platformFeeBps: 0, defaultHooks: [] }
}
