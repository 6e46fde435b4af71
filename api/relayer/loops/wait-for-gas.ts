import type { Transaction } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent, findRecordedSeconds } from '../../intents/outbox.queries.ts'
import { applyResolution } from '../confirmations/resolution.ts'
import { resolveUncovered } from '../confirmations/resolve-revert.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** First pause, seconds. */
const RETRY_DELAY_SECONDS = 1
/** As long as an authorization may be valid: what an older call agrees to may have changed. */
const LONGEST_WAIT_SECONDS = 600

/**
 * The account that pays for a foreign call has too little left at the present fees: the call waits with growing pauses,
 * and fails after ten minutes. A payment that has arrived is then given back, whatever the next day's budget is.
 * @throws ChainUnavailable
 */
export async function waitForGas(deps: RelayerDeps, tx: Transaction, intent: BoundIntent): Promise<void> {
  const { id } = intent
  if ((await findRecordedSeconds(tx, id)) < LONGEST_WAIT_SECONDS) {
    await deferIntent(tx, id, RETRY_DELAY_SECONDS)
    deps.log.info({ intentId: id }, 'the gas account of an intent has too little left; the intent waits')
    return
  }
  const decision = await resolveUncovered(deps, intent)
  await applyResolution(tx, intent, { decision, mined: null })
  deps.log.info({ intentId: id, decision }, 'an intent waited too long for its gas account')
}
