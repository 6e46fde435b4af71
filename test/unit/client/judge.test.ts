import { describe, expect, test } from 'vitest'
import { judge } from '../../../client/src/writes/judge.ts'
import { intentStatuses } from '../../../protocol/intent-statuses.ts'
import { reasons } from '../../../protocol/reasons.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  kind: 'answer' as const,
  url: 'http://x/api/tasks',
  status,
  headers: new Headers(headers),
  body,
})
const error = (status: number, service: Record<string, unknown>) =>
  judge(answer(status, { error: 'Why.', service }), true)

describe('The reading of an answer', () => {
  test('given no whole answer, or one without a reason, then nothing is known', () => {
    expect(judge({ kind: 'none', problem: 'cut' }, true)).toMatchObject({ kind: 'open', isAnswered: false })
    for (const status of [400, 404, 409, 500, 502, 504]) {
      expect(judge(answer(status, { error: 'Bad gateway' }), true)).toMatchObject({ kind: 'open', isAnswered: false })
    }
    expect(judge(answer(200, 'done'), true)).toMatchObject({ kind: 'open' })
    expect(error(409, { reason: 'a_new_reason' })).toMatchObject({ kind: 'open', isAnswered: false })
  })

  test('given 402, then it is a challenge without a payment and a refusal with one', () => {
    const challenge = answer(402, { service: { reason: 'payment_rejected' } }, { 'PAYMENT-REQUIRED': 'x' })
    expect(judge(challenge, false)).toEqual({ kind: 'challenge', header: 'x' })
    expect(judge(challenge, true)).toMatchObject({ kind: 'refused' })
  })

  test('given a refused payment, then the refusal has the envelope, and nothing of the challenge', () => {
    const body = {
      x402Version: 2,
      accepts: [{ extra: { eip712: {} } }],
      extensions: { bazaar: { schema: {} } },
      error: 'Why.',
      code: 'PAYMENT_REQUIRED',
      service: { reason: 'payment_rejected' },
    }
    const { error, code, service } = body
    const envelope = { error, code, service }
    expect(judge(answer(402, body), true)).toMatchObject({ kind: 'refused', refusal: { error: envelope } })
    const judged = judge(answer(402, body), true) as { refusal: { error: object } }
    expect(Object.keys(judged.refusal.error)).toEqual(Object.keys(envelope))
  })

  test('given the receipt of a payment, then the answer names its transaction; a foreign text names none', () => {
    const transaction = `0x${'ab'.repeat(32)}`
    const done = (receipt: string) => judge(answer(200, { success: true }, { 'PAYMENT-RESPONSE': receipt }), true)
    expect(done(btoa(JSON.stringify({ transaction })))).toMatchObject({ kind: 'done', txHash: transaction })
    for (const receipt of ['', 'x', btoa('null'), btoa('{"transaction":"0x1"}')]) {
      expect(done(receipt)).toMatchObject({ kind: 'done', txHash: null })
    }
  })

  test('given a write that exists, then its status is what counts', () => {
    for (const intentStatus of intentStatuses) {
      expect(error(409, { reason: 'idempotency_key_reused', intentStatus })).toMatchObject({
        kind: 'status',
        status: intentStatus,
      })
    }
    expect(error(409, { reason: 'payment_preflight_rejected', intentStatus: 'failed' })).toMatchObject({
      kind: 'status',
      status: 'failed',
    })
    expect(error(500, { reason: 'intent_completion_deferred', intentStatus: 'broadcast' })).toMatchObject({
      kind: 'status',
    })
  })

  test('given a payment that funds another write, or an unclassified fault, then it is no refusal', () => {
    for (const [status, reason] of [
      [409, 'payment_already_spent'],
      [500, 'payment_rejected'],
      [500, 'unclassified'],
      [503, 'unclassified'],
      [408, 'unclassified'],
      [503, 'idempotency_check_unavailable'],
      [409, 'intent_in_flight'],
    ] as const) {
      expect(error(status, { reason }).kind, `${status} ${reason}`).toBe('open')
    }
  })

  test('given any reason of the service, then it is read', () => {
    for (const [reason, statuses] of Object.entries(reasons)) {
      for (const status of statuses) expect(() => error(status, { reason })).not.toThrow()
    }
  })
})
