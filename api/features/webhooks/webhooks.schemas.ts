import { z } from 'zod'
import { eventKindNames } from '../../events/event-kinds.ts'
import { DELIVERIES_KEPT, webhookStatuses } from '../../events/webhooks/webhooks.queries.ts'
import { unixSeconds, uuid, walletSignature } from '../../http/request-schemas.ts'
import { addressOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

export const webhookParams = z.object({ webhookId: uuid })

export const eventKind = z.enum(eventKindNames)

/** The schema of the time that a wallet signs together with a change of a webhook, in Unix seconds. */
export const timestamp = unixSeconds.meta({ description: 'Unix seconds: at most 300 from now either way.' })

/**
 * Returns the schema of the fields that authorize a change of a webhook: the signed time, and the wallet's signature.
 * `verb` names the change in the signed text.
 */
export function signedChange(verb: string) {
  return z.object({
    timestamp,
    signature: walletSignature.meta({
      description:
        `EIP-191 by the wallet of the webhook over \`service:webhook:${verb}:<chainId>:<host of the service>:` +
        '<lower-case wallet>:<webhookId>:<timestamp>`.',
    }),
  })
}

/** The error responses that all routes for a signed change of one webhook share. */
export const changeErrors = {
  403: { description: 'The signature is not that of the webhook’s wallet over this change.' },
  404: { description: 'There is no webhook of this id.' },
} as const

export const secretOut = z
  .string()
  .meta({ description: 'Key of the signatures, `whsec_` and base64 (Standard Webhooks). Shown this once.' })

const statusOut = z.enum(webhookStatuses)

export const webhookOut = z.object({
  webhookId: z.uuid(),
  address: addressOut,
  url: z.string(),
  kinds: z.array(z.string()).nullable().meta({ description: 'Kinds that it gets; null: all.' }),
  filters: z
    .object({
      taskId: hashOut.optional(),
      mode: z.string().optional(),
      tag: z.union([z.string(), z.array(z.string())]).optional(),
      minReward: z.string().optional(),
      q: z.string().optional(),
    })
    .nullable()
    .meta({ description: 'As they were sent. Null: it gets entries that concern its wallet.' }),
  status: statusOut.meta({
    description:
      '`unverified`: no test has been answered yet; `active`: entries are delivered; `paused`: they are not, until it is resumed.',
  }),
  reason: z.string().nullable().meta({ description: 'Why the last attempt failed; null: it did not.' }),
  lastStatus: z.int().nullable().meta({ description: 'Status of the last answer; null: there was none.' }),
  failingSince: timestampOut.nullable(),
  nextAttemptAt: timestampOut.nullable().meta({ description: 'When a failed delivery is tried again.' }),
  pausedAt: timestampOut.nullable(),
  earlierSecretUntil: timestampOut
    .nullable()
    .meta({ description: 'Until then the secret before the present one signs too.' }),
  createdAt: timestampOut,
})

export const webhookListOut = z.object({ webhooks: z.array(webhookOut) })

export const deliveryOut = z.object({
  id: z.string().meta({ description: 'The `webhook-id` header: of an entry its id.' }),
  kind: z.string(),
  attempt: z.int().meta({ description: 'From 1.' }),
  sentAt: timestampOut.meta({ description: 'When the attempt was over.' }),
  status: z.int().nullable().meta({ description: 'Of the answer; null: there was none.' }),
  error: z.string().nullable(),
  latencyMs: z.int(),
})

export const deliveriesOut = z.object({
  deliveries: z.array(deliveryOut).meta({ description: `The last ${DELIVERIES_KEPT} attempts, the newest first.` }),
})

export const changedOut = z.object({ webhookId: z.uuid(), status: statusOut })
