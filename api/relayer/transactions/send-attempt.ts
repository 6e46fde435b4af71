import { markSent, type NewAttempt } from './attempts.queries.ts'
import type { RelayContext } from './relay-context.ts'

/**
 * Sends a stored transaction to the node. The node's answer is ignored, because only a receipt proves what happened to
 * the transaction. The same bytes can be sent again at any time.
 */
export async function sendAttempt(relay: RelayContext, attempt: Pick<NewAttempt, 'hash' | 'raw' | 'intentId'>) {
  const { deps, onSent } = relay
  const { hash, intentId } = attempt
  try {
    await deps.observe.stage('send', () => deps.chain.sendRawTransaction(attempt.raw), intentId ?? undefined)
    deps.log.debug({ intentId, hash }, 'sent')
  } catch (error) {
    deps.log.debug({ err: error, intentId, hash }, 'send failed, receipt decides')
  }
  deps.reach('after-send')
  onSent()
  await markSent(deps.sql, hash)
  deps.reach('after-answer')
}
