import { z } from 'zod'
import { intentStatuses } from '../../../protocol/intent-statuses.ts'
import { uuid } from '../../http/request-schemas.ts'
import { hashOut, timestampOut } from '../../http/response-schemas.ts'
import { refundStatuses } from '../../intents/intent.ts'

/** The schema of a query that names an intent. The query has either the intent's id or the idempotency key. */
export const intentQuerySchema = z
  .object({ intentId: uuid.optional(), idempotencyKey: uuid.optional() })
  .refine((query) => (query.intentId === undefined) !== (query.idempotencyKey === undefined), {
    message: 'exactly one of intentId and idempotencyKey is needed',
  })

export type IntentQuery = z.infer<typeof intentQuerySchema>

/** The schema of the record of one relayed write (interface specification, "Intents"). */
export const intentSchema = z.object({
  intentId: z.uuid(),
  idempotencyKey: z.uuid(),
  operation: z.string().meta({ description: 'Such as `tasks.create`.' }),
  status: z.enum(intentStatuses),
  txHash: hashOut.nullable(),
  terminalReason: z.string().nullable().meta({ description: 'Why it failed; null otherwise.' }),
  taskId: hashOut.nullable().meta({ description: 'Of a completed `tasks.create`; null otherwise.' }),
  refund: z
    .object({
      status: z.enum(refundStatuses),
      txHash: hashOut.nullable(),
      notBefore: timestampOut.optional().meta({
        description: 'Of a payment above the daily limit of prepaid money: its announced refund is paid from then on.',
      }),
    })
    .nullable()
    .meta({ description: 'Only where a payment was written off.' }),
})

export type IntentView = z.infer<typeof intentSchema>
