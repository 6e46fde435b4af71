import { keepingPlans, type Queryable } from '../db/client.ts'
import type { CreationMarket } from '../domain/creation/creation-terms.ts'

/** Returns the market facts for a new task. A market that is not indexed yet refuses nothing; the simulation does. */
export async function loadCreationMarket(sql: Queryable): Promise<CreationMarket> {
  const [market] = await keepingPlans(sql)<CreationMarket[]>`
    select paused as entries_paused, fee_bps as platform_fee_bps, default_hooks from market_config`
  return market ?? { entriesPaused: false, platformFeeBps: 0, defaultHooks: [] }
}
