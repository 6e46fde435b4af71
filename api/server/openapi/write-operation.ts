import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorStatus, errorCodes, type Reason, reasons } from '../../../protocol/reasons.ts'
import { serviceHeaderNames } from '../../http/header-names.ts'
import type { AnyWrite } from '../../writes/relayed-write.ts'
import { errorResponses, narrowedError, sharedErrorResponses } from './error-responses.ts'
import { paymentInfo } from './payment-info.ts'
import { toResponse } from './route-operation.ts'
import { securityOf } from './security.ts'

/** The error reasons of relayed writes: all error reasons except `intent_not_found`, which belongs to reads. */
const WRITE_REASONS = (Object.keys(reasons) as Reason[]).filter((reason) => reason !== 'intent_not_found')
/** The error statuses of every write. 402 is described separately. 406 and 410 cannot occur. */
const WRITE_STATUSES = (Object.keys(errorCodes).map(Number) as ErrorStatus[]).filter(
  (status) => ![402, 406, 410].includes(status),
)

/** Returns a relayed write as an OpenAPI operation, with its idempotency key, its payment and its errors. */
export function writeOperation(
  write: AnyWrite,
  { serviceName, chainId }: { serviceName: string; chainId: number },
): ZodOpenApiOperationObject {
  const info = paymentInfo(write)
  const protocols = [{ x402: { scheme: 'exact', network: `eip155:${chainId}` } }]
  return {
    operationId: write.operationId,
    tags: [tagOf(write)],
    summary: write.summary,
    description: `${write.description} As a procedure: \`POST /trpc/${write.operation}\`.`,
    security: securityOf(needsPayment(write) ? ['Payment'] : []),
    ...(info !== null && { 'x-payment-info': { ...info, protocols } }),
    requestParams: {
      ...(write.params instanceof z.ZodObject && { path: write.params }),
      header: writeHeaders(write, serviceName),
    },
    ...(!write.bodyless && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: write.body.meta({ id: requestNameOf(write) }) } },
      },
    }),
    responses: {
      '200': toResponse({
        description: 'The write has landed on chain and in the read model.',
        schema: write.response,
        ...(isPaid(write) && {
          headers: { 'PAYMENT-RESPONSE': 'Base64 JSON settlement receipt, when the write was paid for.' },
        }),
      }),
      ...(isPaid(write) && { '402': { $ref: '#/components/responses/PaymentRequired' } }),
      ...errorResponses(WRITE_STATUSES, WRITE_REASONS, { family: 'WriteError' }),
      ...(!write.legalExempt && { '403': { $ref: '#/components/responses/ProtectedWriteError403' } }),
    },
  }
}

/** Returns the component name of a write's body. Example: `CreateTaskRequest` for the operation `createTask`. */
function requestNameOf({ operationId }: AnyWrite): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`
}

/** Returns true if at least some requests of the write are paid. */
function isPaid({ modes }: AnyWrite): boolean {
  return modes.includes('paid')
}

/** Returns true if every request of the write must be paid. */
function needsPayment({ modes }: AnyWrite): boolean {
  return modes.length > 0 && modes.every((mode) => mode === 'paid')
}

function writeHeaders(write: AnyWrite, serviceName: string) {
  const names = serviceHeaderNames(serviceName)
  return z.object({
    [names.idempotencyKey]: z
      .uuid()
      .meta({ description: 'Made by the client; the same for every retry of this write.' }),
    ...(isPaid(write) && {
      'PAYMENT-SIGNATURE': z.string().optional().meta({
        description: 'Second round: base64 JSON of the x402 payment payload that answers the challenge.',
      }),
    }),
    ...(isPaid(write) && {
      [names.paymentProof]: z
        .string()
        .optional()
        .meta({
          description:
            'Second round: EIP-191 signature of the payer that names this request (`POST /api/wallet/consent`); needed ' +
            'where the wallet’s consent is on and the nonce does not name it.',
        }),
    }),
    ...(!write.legalExempt && {
      [names.legalReceipt]: z.string().optional().meta({
        description: 'Receipt of the current policy bundle, where the operator enforces acceptance.',
      }),
    }),
  })
}

/** Returns the responses that several writes share, by component name. */
export function sharedWriteResponses(): Record<string, ZodOpenApiResponseObject> {
  const legal = errorResponses([403], WRITE_REASONS, { family: 'WriteError', descriptions: { 403: LEGAL_REFUSAL } })
  return {
    ...sharedErrorResponses('WriteError', WRITE_STATUSES, WRITE_REASONS),
    ProtectedWriteError403: legal['403'] as ZodOpenApiResponseObject,
    PaymentRequired: paymentRequired,
  }
}

/**
 * The description of a write's 403. `LEGAL_ACCEPTANCE_REQUIRED` is the only error code that is not the name of an HTTP
 * status. See the interface specification, "Errors".
 */
const LEGAL_REFUSAL =
  'The caller may not do this. With `code` `LEGAL_ACCEPTANCE_REQUIRED` where the operator enforces acceptance: no ' +
  'receipt of the current policies was sent, or not one of the wallet that pays or signs; nothing was charged.'

const paymentRequired = {
  description:
    'First round: what to pay, and the typed data to sign. Second round: the payment was refused, with ' +
    '`service.reason` `payment_rejected`; nothing was charged.',
  headers: {
    'PAYMENT-REQUIRED': {
      description: 'The same challenge, as base64 JSON.',
      required: true,
      schema: { type: 'string' as const },
    },
  },
  content: {
    'application/json': {
      schema: {
        anyOf: [
          { $ref: '#/components/schemas/PaymentRequired' },
          {
            allOf: [{ $ref: '#/components/schemas/PaymentRequired' }, narrowedError(['payment_rejected'])],
          },
        ],
      },
    },
  },
}

/** The documentation tag for an operation whose tag is not the first word of its name. The key is the first word. */
const tags: Readonly<Record<string, string>> = { sponsoredTaskVaults: 'sponsored-task vaults' }

function tagOf(write: AnyWrite): string {
  const [group = 'tasks'] = write.operation.split('.', 1)
  return tags[group] ?? group
}
