import { expect } from 'vitest'
import type { Reply } from './paying-client.ts'

/** Spec, "Errors": the class of each status that this suite checks. */
const codes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
} as const

/** Expects an error of this status and reason, in the layout of all errors. Returns its body. */
export function expectRefusal(
  { status, body }: Pick<Reply, 'status' | 'body'>,
  expected: keyof typeof codes,
  reason: string,
) {
  expect({ status, code: body?.code, reason: body?.service?.reason, error: body?.error }).toEqual({
    status: expected,
    code: codes[expected],
    reason,
    error: expect.stringMatching(/^\S.+\S$/s),
  })
  return body
}
