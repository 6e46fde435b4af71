import { lockHeldIntent } from '../../intents/held.queries.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent } from '../../intents/outbox.queries.ts'
import { applyResolution } from '../confirmations/resolution.ts'
import { resolveRevert } from '../confirmations/resolve-revert.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

const POLL_INTERVAL_MS = 5_000
/** The pause in seconds before an intent is tried again after a failure of the nodes. */
const RETRY_DELAY_SECONDS = 5

/**
 * Checks the held intents that are due. If later blocks make a decision possible, the decision is stored, and the loops
 * `outbox` and `receipts` carry it out. Otherwise the intent stays held, and the pause until its next check doubles.
 */
export async function reconcileHeld(deps: RelayerDeps): Promise<number> {
  while (await reconcileNext(deps));
  return POLL_INTERVAL_MS
}

async function reconcileNext(deps: RelayerDeps): Promise<boolean> {
  let takenIntent: BoundIntent | null = null
  try {
    await deps.sql.begin(async (tx) => {
      takenIntent = await lockHeldIntent(tx)
      if (takenIntent === null) return
      const decision = await resolveRevert(deps, takenIntent, null)
      await applyResolution(tx, takenIntent, { decision, mined: null })
      const level = decision.next === 'hold' && decision.untilBlock === undefined ? 'warn' : 'info'
      deps.log[level](
        { intentId: takenIntent.id, looks: takenIntent.looks, decision },
        'a held intent was resolved again',
      )
    })
  } catch (error) {
    if (takenIntent === null) throw error
    await backOff(deps, takenIntent, error)
  }
  return takenIntent !== null
}

async function backOff(deps: RelayerDeps, { id }: BoundIntent, error: unknown): Promise<void> {
  deps.log.warn({ err: error, intentId: id }, 'held intent retry failed')
  await deferIntent(deps.sql, id, RETRY_DELAY_SECONDS)
}
