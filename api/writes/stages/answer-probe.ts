import type { Context } from 'hono'
import { readJsonBody } from '../../http/bodies/read-json-body.ts'
import type { AnyWrite } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { challengeOf } from './challenge-of.ts'
import { answerChallenge } from './payment-rejected.ts'
import { idempotencyHeaderOf } from './read-key.ts'

type Answering = (c: Context) => Promise<Response>

/**
 * The largest body, in bytes, that is parsed to find out if the body is empty. An empty JSON object counts as empty.
 * Example: `{ }` has 3 bytes.
 */
const EMPTY_BODY_BYTES = 64

/**
 * Answers crawlers of paid services before stage 1. If a write declares `answersProbes`, an empty POST without an
 * idempotency key gets 402 with the lowest price. Nothing is reserved. Without this function, stage 1 would answer the
 * POST with 400, because the key is missing.
 *
 * Example: `curl -X POST $BASE/api/tasks` returns a challenge over 1000 base units.
 */
export function answerProbes(deps: WriteDeps, write: AnyWrite, handle: Answering): Answering {
  const { price } = write
  if (write.answersProbes !== true || price === undefined) return handle
  const keyHeader = idempotencyHeaderOf(deps.config.SERVICE_NAME)
  return async (c) => {
    if (c.req.header(keyHeader) !== undefined || !(await isProbe(c))) return await handle(c)
    const error = `This write is paid; this is its least price. Send ${keyHeader} and the fields of ${write.operationId}.`
    return answerChallenge(c, challengeOf(deps, write, { amount: price.min, path: c.req.path, error }))
  }
}

async function isProbe(c: Context): Promise<boolean> {
  if (c.req.header('payment-signature') !== undefined || c.req.header('x-payment') !== undefined) return false
  try {
    const body = await readJsonBody(c, EMPTY_BODY_BYTES)
    return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
  } catch {
    // The request lacks a key, whatever its body is.
    return false
  }
}
