import { expect, test } from 'vitest'
import { rateWorker } from '../../../api/features/tasks/rate-worker.ts'
import { chooseMissing, completeRequest } from '../../../api/writes/stages/complete-request.ts'
import { fingerprintOf } from '../../../api/writes/stages/fingerprint.ts'
import type { WriteDeps } from '../../../api/writes/write-deps.ts'
import { catalogue } from '../../../protocol/catalogue.ts'
import type { OperationName } from '../../../protocol/derive.ts'
import { operations } from '../../../protocol/operations.ts'

const params = { taskId: `0x${'7a'.repeat(32)}` }
const worker = `0x${'a1'.repeat(20)}`
const documentSalt = `0x${'5a'.repeat(32)}`
const createdAt = '2030-01-01T00:00:11.000Z'
const chain = (timestamp: bigint | null) =>
  ({
    latestClocks: async () => {
      if (timestamp === null) throw new Error('the node gives no answer')
      return { head: { timestamp } }
    },
  }) as unknown as WriteDeps['chain']
const fingerprint = (input: Parameters<typeof fingerprintOf>[1]) =>
  fingerprintOf(rateWorker, input, 'a secret').toString('hex')

test('given a request without choices, then the service makes them, and its fingerprint is that of any retry', async () => {
  const request = { params, body: { worker, rating: 90 } }
  const [first, second] = [
    await chooseMissing({ chain: chain(1_893_456_011n) }, rateWorker, request),
    await chooseMissing({ chain: chain(1_893_456_099n) }, rateWorker, request),
  ]
  expect(first).toEqual({ documentSalt: expect.stringMatching(/^0x[0-9a-f]{64}$/), createdAt })
  expect(second.documentSalt).not.toBe(first.documentSalt)
  const [one, other] = [completeRequest(rateWorker, request, first), completeRequest(rateWorker, request, second)]
  expect(one.input.body).toEqual({ worker, rating: 90, ...first })
  expect(fingerprint(one.asSent)).toBe(fingerprint(other.asSent))
})

test('given a request with choices, then they stay, in lower case, and are part of its fingerprint', async () => {
  const fingerprintsOf = async (body: object) => {
    const request = { params, body: { worker, rating: 90, ...body } }
    const chosen = await chooseMissing({ chain: chain(1n) }, rateWorker, request)
    return { chosen, fingerprint: fingerprint(completeRequest(rateWorker, request, chosen).asSent) }
  }
  const chosen = await fingerprintsOf({ documentSalt: documentSalt.toUpperCase().replace('X', 'x'), createdAt })
  expect(chosen.chosen).toEqual({})
  const different = [
    await fingerprintsOf({}),
    await fingerprintsOf({ documentSalt }),
    await fingerprintsOf({ createdAt }),
    await fingerprintsOf({ documentSalt, createdAt: '2030-01-01T00:00:11.001Z' }),
    await fingerprintsOf({ documentSalt: `0x${'5b'.repeat(32)}`, createdAt }),
  ]
  expect(new Set([chosen, ...different].map((one) => one.fingerprint)).size).toBe(6)
  expect((await fingerprintsOf({ documentSalt, createdAt })).fingerprint).toBe(chosen.fingerprint)
})

test('given a node without an answer, then a time is chosen all the same: the key may have an outcome', async () => {
  const { createdAt: chosen } = await chooseMissing({ chain: chain(null) }, rateWorker, { params, body: {} })
  expect(new Date(chosen ?? '').toISOString()).toBe(chosen)
})

test.each([
  [{ documentSalt: `0x${'00'.repeat(32)}` }, 'documentSalt', 'must not be zero'],
  [{ documentSalt: '0x5a' }, 'documentSalt', 'must be a 0x-prefixed 32-byte hex string'],
  [{ createdAt: '2030-01-01T00:00:11Z' }, 'createdAt', 'must be an ISO 8601 time'],
  [{ createdAt: '2030-02-30T00:00:11.000Z' }, 'createdAt', 'must be a date and time that exist'],
])('given %o, then the field is refused', (body, field, message) => {
  const { error } = rateWorker.body.safeParse({ worker, rating: 90, ...body })
  expect(error?.issues).toMatchObject([{ path: [field], message: expect.stringContaining(message) }])
})

test.each(Object.keys(operations) as OperationName[])('given %s, then its choices are those of its request', (name) => {
  const choices = Object.keys(catalogue[name].example).filter((field) => ['documentSalt', 'createdAt'].includes(field))
  const { choices: listed = [] }: { choices?: readonly string[] } = operations[name]
  expect([...listed].sort()).toEqual(choices.sort())
})

test.each([
  [361, 'window_too_long'],
  [-361, 'window_too_short'],
])('given a time %i seconds from both clocks, then the rating is refused', (seconds, failure) => {
  const now = 1_893_456_000n
  const moment = new Date((Number(now) + seconds) * 1000).toISOString()
  const request = { params, body: { worker, rating: 90, documentSalt, createdAt: moment } }
  const context = { actor: null, now, clocks: { head: now, current: now } }
  expect(rateWorker.preflight({}, request, context)).toMatchObject({ status: 400, failure, field: 'createdAt' })
})
