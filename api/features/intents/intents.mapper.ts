import { toTimestamp } from '../../http/response-schemas.ts'
import type { Intent } from '../../intents/intent.ts'
import type { IntentView } from './intents.schemas.ts'

/** Returns an intent in the form that its initiator may read. */
export function toIntentView(intent: Intent): IntentView {
  const { status, refundStatus, refundTxHash, refundNotBefore } = intent
  const isAnnounced = refundStatus === 'pending' && refundNotBefore !== null
  return {
    intentId: intent.id,
    idempotencyKey: intent.idempotencyKey,
    operation: intent.operation,
    status,
    txHash: intent.txHash,
    terminalReason: status === 'failed' ? intent.terminalReason : null,
    taskId: status === 'completed' ? intent.taskId : null,
    refund:
      refundStatus === null
        ? null
        : {
            status: refundStatus,
            txHash: refundTxHash,
            ...(isAnnounced && { notBefore: toTimestamp(refundNotBefore) }),
          },
  }
}
