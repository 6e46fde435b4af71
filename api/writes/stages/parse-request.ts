import type { Context } from 'hono'
import type { Reason } from '../../../protocol/reasons.ts'
import { otherVault } from '../../domain/sponsored/refuse-claim.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { arrivingBody, DEFAULT_BODY_LIMIT_BYTES } from '../../http/bodies/arriving-body.ts'
import { readJsonBody } from '../../http/bodies/read-json-body.ts'
import { checkUnknownFields } from '../../http/handling.ts'
import { invalidRequest, parseWith } from '../../http/parse.ts'
import { readQuery } from '../../http/query.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'
import { refused } from './admit.ts'

/**
 * Parses path and body in stage 2 with the write's schemas.
 * @throws ServiceError 400 with the reason of `inputReasonOf` and the names of the invalid fields
 * @throws ServiceError 413 if the body is too large, 415 if the write does not accept the body's media type
 */
export async function parseRequest(c: Context, write: AnyWrite): Promise<WriteInput> {
  const reason = inputReasonOf(write)
  const params = parseWith(write.params, c.req.param(), reason)
  checkUnknownFields(c, { input: readQuery(c.req.url), schema: undefined }, reason)
  const sentBody = write.bodyless === true ? await passOverBody(c) : await readWriteBody(c, write)
  checkUnknownFields(c, { input: sentBody, schema: write.body, besides: write.params }, reason)
  const body = parseWith(write.body, withIdsOfPath(sentBody, params, reason), reason)
  return { params, body }
}

/**
 * Parses a procedure call. Its input is one object with the fields of path and body. The equivalent REST request has
 * the same result and fingerprint.
 */
export function parseCall(c: Context, write: AnyWrite, sentInput: unknown): WriteInput {
  const reason = inputReasonOf(write)
  checkUnknownFields(c, { input: sentInput, schema: write.body, besides: write.params }, reason)
  const params = parseWith(write.params, sentInput, reason)
  const body = parseWith(write.body, withIdsOfPath(sentInput, params, reason), reason)
  return { params, body }
}

/**
 * Discards the body of a write that needs no body. If the request has a payment, the body is read and hashed first,
 * because the payment may commit to the hash of the body.
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

/**
 * Reads a write's body. Malformed JSON gets the same error reason as other invalid input. Nothing is reserved or paid
 * yet.
 */
export async function readWriteBody(c: Context, write: AnyWrite): Promise<unknown> {
  try {
    return await readJsonBody(c, write.bodyLimitBytes)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 400) throw error
    throw new ServiceError(400, inputReasonOf(write), error.message, error.options)
  }
}

/**
 * Returns the error reason for invalid input of a write: `payment_preflight_rejected` if the write can be paid,
 * otherwise `unclassified`.
 */
function inputReasonOf({ modes }: AnyWrite): Reason {
  return modes.includes('paid') ? 'payment_preflight_rejected' : 'unclassified'
}

/**
 * Checks that an id in the body equals the id in the path. Adds the path's `taskId` to the body.
 * @throws ServiceError 400
 */
function withIdsOfPath(body: unknown, params: unknown, reason: Reason): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (namesOther('vaultId', body, params)) throw refused(otherVault())
  const taskId = fieldOf(params, 'taskId')
  if (taskId === undefined) return body
  if (namesOther('taskId', body, params)) {
    throw invalidRequest([{ path: 'taskId', message: 'must be the task of the path, or left out' }], reason)
  }
  return { ...body, taskId }
}

function namesOther(name: string, body: unknown, params: unknown): boolean {
  const [bodyValue, id] = [fieldOf(body, name), fieldOf(params, name)]
  return bodyValue !== undefined && id !== undefined && lowerCase(bodyValue) !== lowerCase(id)
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function fieldOf(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name)) return undefined
  return (record as Record<string, unknown>)[name]
}
