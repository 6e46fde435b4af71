import type { Queryable } from '../db/client.ts'
import type { CreationMarket } from '../domain/creation/creation-terms.ts'

/** What of the market bears on a new task. A market that is not indexed yet refuses nothing: simulation does. */
export async function loadCreationMarket(sql: Queryable): Promise<CreationMarket> {
  const [market] = await sql<CreationMarket[]>`
    select paused as entries_paused, fee_bps as platform_fee_bps, default_hooks from market_config`
  return market ?? { entriesPaused: false, platformFeeBps: 0, defaultHooks: [] }
}
