import { lockHeldIntent } from '../../intents/held.queries.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent } from '../../intents/outbox.queries.ts'
import { applyDecision } from '../confirmations/resolution.ts'
import { decide } from '../confirmations/resolve-revert.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

const LOOK_EVERY_MS = 5_000
/** How long an intent rests that could not be looked at (no node), seconds. */
const REST_SECONDS = 5

/**
 * One run over the held intents whose turn it is. The chain may say more by now, or something else after a reorg: it
 * acted after all, its money arrived, the payer cancelled, the authorization is free again, or the block in which it
 * paid another account is safe. What is still unproven stays, with what was found, and the next attempt comes after twice
 * the time. The lock keeps other processes off; nothing here moves money: the outbox and the receipts go on with the decision.
 */
export async function reconcileHeld(deps: RelayerDeps): Promise<number> {
  while (await reconcileNext(deps));
  return LOOK_EVERY_MS
}

async function reconcileNext(deps: RelayerDeps): Promise<boolean> {
  let taken: BoundIntent | null = null
  try {
    await deps.sql.begin(async (tx) => {
      taken = await lockHeldIntent(tx)
      if (taken === null) return
      const decision = await decide(deps, taken, null)
      await applyDecision(tx, taken, { decision, mined: null })
      const level = decision.next === 'hold' && decision.untilBlock === undefined ? 'warn' : 'info'
      deps.log[level]({ intentId: taken.id, looks: taken.looks, decision }, 'a held intent was looked at again')
    })
  } catch (error) {
    if (taken === null) throw error
    await rest(deps, taken, error)
  }
  return taken !== null
}

async function rest(deps: RelayerDeps, { id }: BoundIntent, error: unknown): Promise<void> {
  deps.log.warn({ err: error, intentId: id }, 'a held intent could not be looked at now')
  await deferIntent(deps.sql, id, REST_SECONDS)
}
