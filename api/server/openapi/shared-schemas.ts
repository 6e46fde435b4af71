import { z } from 'zod'
import { detailNames } from '../../../protocol/details.ts'
import { intentStatuses } from '../../../protocol/intent-statuses.ts'
import { amountOut } from '../../http/response-schemas.ts'

const addressText = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/**
 * The schema of an error's body (interface specification, "Errors"). Every operation restricts `service.reason` to its
 * possible reasons.
 */
const errorSchema = z
  .object({
    error: z.string().meta({ description: 'One sentence: what was wrong and what to do.' }),
    code: z.string().meta({
      description: 'Class name of the status, such as `BAD_REQUEST`; or `LEGAL_ACCEPTANCE_REQUIRED` (403).',
    }),
    service: z.object({
      reason: z.string().meta({ description: 'Treat an unknown reason as no information.' }),
      detail: z.enum(detailNames).meta({
        description: 'The condition that refused; `docs` is its page. Treat an unknown detail as absent.',
      }),
      docs: z.string().meta({ description: 'URL of the page of `detail`.' }),
      intentId: z.string().optional(),
      intentStatus: z.enum(intentStatuses).optional(),
      operation: z.string().optional(),
      idempotencyKey: z.string().optional(),
      txHash: z.string().optional(),
      facts: z.looseObject({}).optional().meta({
        description:
          'Of `facts_changed`: the facts that the call is made of, amounts and ids as decimal strings. Hints: read them again.',
      }),
      escrowAmount: amountOut
        .optional()
        .meta({ description: 'Of `facts_changed`: the escrow of the call, base units.' }),
    }),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Which fields were wrong.' }),
  })
  .meta({ id: 'Error' })

/**
 * The schema of the body of a 402 answer (interface specification, "Payments"). The header PAYMENT-REQUIRED contains
 * the same JSON in base64.
 */
const challengeSchema = z
  .object({
    x402Version: z.literal(2),
    error: z.string(),
    resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
    accepts: z.array(
      z.object({
        scheme: z.literal('exact'),
        network: z.string().meta({ description: 'CAIP-2, such as `eip155:8453`.' }),
        asset: addressText,
        amount: amountOut,
        payTo: addressText,
        maxTimeoutSeconds: z.int(),
        extra: z.object({
          name: z.string(),
          version: z.string(),
          eip712: z
            .looseObject({ domain: z.looseObject({}), types: z.looseObject({}), primaryType: z.string() })
            .meta({ description: 'What to sign: TransferWithAuthorization of the USDC contract.' }),
        }),
      }),
    ),
    extensions: z
      .looseObject({ bazaar: z.looseObject({}) })
      .optional()
      .meta({
        description: 'Extensions of x402; `bazaar` declares the operation to catalogues. Send them back as they are.',
      }),
    service: z.looseObject({ reason: z.string() }).optional().meta({
      description: 'Only after a payment that was refused (`payment_rejected`).',
    }),
  })
  .meta({ id: 'PaymentRequired' })

/** The schemas that operations refer to by name. */
export const sharedSchemas = { Error: errorSchema, PaymentRequired: challengeSchema }
