import type { Transaction } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent, findRecordedSeconds } from '../../intents/outbox.queries.ts'
import { applyResolution } from '../confirmations/resolution.ts'
import { resolveUncovered } from '../confirmations/resolve-revert.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** The first pause, seconds. */
const RETRY_DELAY_SECONDS = 1
/** The longest wait, that of an authorization's validity: the agreement of an older call may have changed. */
const LONGEST_WAIT_SECONDS = 600

/**
 * Defers a foreign call whose gas account has too little left at the present fees, with growing pauses, and fails it
 * after ten minutes. An arrived payment is then refunded, whatever the next day's budget is.
 * @throws ChainUnavailable
 */
export async function waitForGas(deps: RelayerDeps, tx: Transaction, intent: BoundIntent): Promise<void> {
  const { id } = intent
  if ((await findRecordedSeconds(tx, id)) < LONGEST_WAIT_SECONDS) {
    await deferIntent(tx, id, RETRY_DELAY_SECONDS)
    deps.log.info({ intentId: id }, 'gas account too low, intent waits')
    return
  }
  const decision = await resolveUncovered(deps, intent)
  await applyResolution(tx, intent, { decision, mined: null })
  deps.log.info({ intentId: id, decision }, 'gas account wait ended')
}
