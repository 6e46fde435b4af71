import type { Context } from 'hono'
import { arrivingBody, DEFAULT_BODY_LIMIT_BYTES } from '../../http/bodies/arriving-body.ts'
import { readJsonBody } from '../../http/bodies/read-json-body.ts'
import { invalidRequest, parseWith } from '../../http/parse.ts'
import { ServiceError } from '../../http/service-error.ts'
import type { AnyWrite, WriteInput } from '../define-write.ts'

/**
 * Stage 2: path and body, parsed once, by the write's own schemas.
 * @throws ServiceError 400 `payment_preflight_rejected` naming the fields; 413 and 415 as the reader of bodies says
 */
export async function parseRequest(c: Context, write: AnyWrite): Promise<WriteInput<unknown, unknown>> {
  const params = parseWith(write.params, c.req.param(), 'payment_preflight_rejected')
  const sent = write.bodyless === true ? await passOverBody(c) : await readWriteBody(c, write.bodyLimitBytes)
  const body = parseWith(write.body, withTaskIdOfPath(sent, params), 'payment_preflight_rejected')
  return { params, body }
}

/**
 * The same of a procedure call, whose input is one object of the path's fields and the body's: what the same write
 * looks like over REST, down to its fingerprint.
 */
export function parseCall(write: AnyWrite, sent: unknown): WriteInput<unknown, unknown> {
  const params = parseWith(write.params, sent, 'payment_preflight_rejected')
  const body = parseWith(write.body, withTaskIdOfPath(sent, params), 'payment_preflight_rejected')
  return { params, body }
}

/**
 * A body that the write has no use for is ignored, whatever it is. One that comes with a payment is read all the same:
 * the payment may name the request by the hash of its bytes.
 */
async function passOverBody(c: Context): Promise<unknown> {
  if (c.get('bodyDigest') === undefined) return {}
  try {
    for await (const _ of arrivingBody(c, { limitBytes: DEFAULT_BODY_LIMIT_BYTES }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
  return {}
}

/** Before anything is reserved or paid, a body that cannot be read is a refused input like any other. */
export async function readWriteBody(c: Context, limitBytes: number | undefined): Promise<unknown> {
  try {
    return await readJsonBody(c, limitBytes)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 400) throw error
    throw new ServiceError(400, 'payment_preflight_rejected', error.message, error.options)
  }
}

/** A `taskId` in the body repeats the one in the path, or is left out (Interface, "Transport"). */
function withTaskIdOfPath(body: unknown, params: unknown): unknown {
  const taskId = fieldOf(params, 'taskId')
  if (taskId === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const repeated = fieldOf(body, 'taskId')
  if (repeated !== undefined && !(typeof repeated === 'string' && repeated.toLowerCase() === taskId)) {
    throw invalidRequest(
      [{ path: 'taskId', message: 'must be the task of the path, or left out' }],
      'payment_preflight_rejected',
    )
  }
  return { ...body, taskId }
}

function fieldOf(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name)) return undefined
  return (record as Record<string, unknown>)[name]
}
