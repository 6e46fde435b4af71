import type { Transaction } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent, findRecordedSeconds } from '../../intents/outbox.queries.ts'
import { applyResolution } from '../confirmations/resolution.ts'
import { resolveUncovered } from '../confirmations/resolve-revert.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** The first pause before a postponed call is tried again, in seconds. */
const RETRY_DELAY_SECONDS = 1
/** The longest time that a call waits for gas, in seconds. It equals the validity period of a payment authorization. */
const LONGEST_WAIT_SECONDS = 600

/**
 * Postpones a foreign call (a call that also runs an account's code) whose gas account cannot pay for the call at the
 * current fees. The pauses grow up to one minute. After ten minutes, `resolveUncovered` decides what happens to the
 * call.
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
