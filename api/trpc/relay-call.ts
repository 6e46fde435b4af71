import type { PaymentRequired } from '@x402/core/types'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../errors/service-error.ts'
import { serviceHeaderNames } from '../http/header-names.ts'
import { countWrite } from '../writes/count-write.ts'
import { handleWrite } from '../writes/pipeline.ts'
import type { AnyWrite } from '../writes/relayed-write.ts'
import { parseCall, readWriteBody } from '../writes/stages/parse-request.ts'
import { inputOf } from './batch-input.ts'
import { PaymentChallenged } from './payment-challenged.ts'
import type { RpcContext } from './rpc-context.ts'

/**
 * Returns the function that runs a relayed write as a procedure. The function reads the body under the size limit of
 * the write, and then handles the write like a request of the REST route.
 */
export function createRelayCall(deps: Deps, write: AnyWrite): (context: RpcContext) => Promise<unknown> {
  const ofLoneCall = countWrite(
    write,
    handleWrite(deps, write, (c) => parseBody(c, write, false)),
  )
  const ofBatch = countWrite(
    write,
    handleWrite(deps, write, (c) => parseBody(c, write, true)),
  )
  return async ({ c, isBatch, callCount }) => {
    if (callCount > 1) throw notAlone(write)
    const answer = await (isBatch ? ofBatch : ofLoneCall)(c)
    const body: unknown = await answer.json()
    if (answer.status === 402) throw challenged(c, deps, { write, answer, body })
    const receipt = answer.headers.get('payment-response')
    if (receipt !== null) c.header('PAYMENT-RESPONSE', receipt)
    return body
  }
}

/**
 * Returns the refusal of a write that is in a batch with other calls. The idempotency key and the payment in the
 * request headers belong to one write.
 */
function notAlone({ operation }: AnyWrite): ServiceError {
  return new ServiceError(
    400,
    'payment_preflight_rejected',
    `${operation} relays a transaction under one idempotency key: send it in a request of its own. Nothing was charged.`,
    { detail: 'write_not_alone', intent: { operation } },
  )
}

async function parseBody(c: Context, write: AnyWrite, isBatch: boolean) {
  return parseCall(c, write, inputOf(await readWriteBody(c, write), { isBatch }))
}

/**
 * Returns the 402 error of a write, with the payment challenge. If a payment was refused, the error also has the fields
 * of `service` in the REST answer. The field `reason` is left out, because the class `PaymentChallenged` sets the
 * reason.
 */
function challenged(
  c: Context,
  { config }: Pick<Deps, 'config'>,
  { write, answer, body }: { write: AnyWrite; answer: Response; body: unknown },
): PaymentChallenged {
  const { x402Version, error, resource, accepts, extensions, service } = body as RestChallenge
  const { reason: _, ...serviceFacts } = service ?? { reason: null }
  const idempotencyKey = c.req.header(serviceHeaderNames(config.SERVICE_NAME).idempotencyKey)?.trim().toLowerCase()
  return new PaymentChallenged({
    paymentRequired: { x402Version, error, resource, accepts, ...(extensions !== undefined && { extensions }) },
    header: answer.headers.get('payment-required') ?? '',
    intent: { operation: write.operation, ...(idempotencyKey !== undefined && { idempotencyKey }), ...serviceFacts },
  })
}

/** The body of a 402 answer of the REST route. */
type RestChallenge = PaymentRequired & { service?: { reason: string } }
