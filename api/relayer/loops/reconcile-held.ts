import { lockHeldIntent } from '../../intents/held.queries.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent } from '../../intents/outbox.queries.ts'
import { applyResolution } from '../confirmations/resolution.ts'
import { resolveRevert } from '../confirmations/resolve-revert.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

const POLL_INTERVAL_MS = 5_000
/** The backoff of an intent that could not be resolved (no node), seconds. */
const RETRY_DELAY_SECONDS = 5

/**
 * Resolves the due held intents again: their transactions reverted, and the chain did not show what to do. Later blocks
 * or a reorg can show that the intent acted, its payment arrived, the payer cancelled, the authorization is free again,
 * or the block of another payment with it is safe. An unproven one stays held, and its next attempt follows after twice
 * the time. A row lock excludes other processes. No money moves here: the loops `outbox` and `receipts` act on the
 * resolution.
 */
export async function reconcileHeld(deps: RelayerDeps): Promise<number> {
  while (await reconcileNext(deps));
  return POLL_INTERVAL_MS
}

async function reconcileNext(deps: RelayerDeps): Promise<boolean> {
  let taken: BoundIntent | null = null
  try {
    await deps.sql.begin(async (tx) => {
      taken = await lockHeldIntent(tx)
      if (taken === null) return
      const decision = await resolveRevert(deps, taken, null)
      await applyResolution(tx, taken, { decision, mined: null })
      const level = decision.next === 'hold' && decision.untilBlock === undefined ? 'warn' : 'info'
      deps.log[level]({ intentId: taken.id, looks: taken.looks, decision }, 'a held intent was resolved again')
    })
  } catch (error) {
    if (taken === null) throw error
    await backOff(deps, taken, error)
  }
  return taken !== null
}

async function backOff(deps: RelayerDeps, { id }: BoundIntent, error: unknown): Promise<void> {
  deps.log.warn({ err: error, intentId: id }, 'held intent retry failed')
  await deferIntent(deps.sql, id, RETRY_DELAY_SECONDS)
}
