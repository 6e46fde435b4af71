import { expect, test } from 'vitest'
import { ByteQuotaError } from '../../../api/artifacts/byte-accounts.ts'
import { StorageFullError, StorageUnavailableError } from '../../../api/artifacts/storage/object-store.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { Overloaded } from '../../../api/concurrency/semaphore.ts'
import { ServiceError } from '../../../api/errors/service-error.ts'
import { toFactHints } from '../../../api/writes/fact-hints.ts'
import { explainFailure } from '../../../api/writes/stages/explain-failure.ts'

const key = '0b4f6c9e-8a4e-4a55-9a39-6f1d8a3c7e21'
const deps = { deployment: { chainId: 8453 } } as never
const explain = (error: unknown, isPaid: boolean) =>
  explainFailure(deps, error, { key, payment: isPaid ? 'eA==' : undefined, head: null })
const cause = new Error('for the test')

test.each([
  [Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' }), 'database_unavailable', 'database'],
  [new ChainUnavailable('no answer'), 'node_unavailable', 'chain 8453'],
  [new StorageUnavailableError({ cause }), 'storage_unavailable', 'files'],
  [new Overloaded('Too many uploads at a time'), 'overloaded', 'Too many uploads at a time'],
])('given %s, then 503 says what is missing, and that the request may be repeated', async (error, detail, fact) => {
  for (const isPaid of [true, false]) {
    expect(await explain(error, isPaid)).toMatchObject({
      status: 503,
      reason: 'idempotency_check_unavailable',
      message: expect.stringContaining(fact),
      options: { detail, intent: { idempotencyKey: key }, headers: { 'Retry-After': '2' } },
    })
  }
})

test.each([
  ['a full disk', new StorageFullError({ cause })],
  ['a client’s quota of bytes', new ByteQuotaError('client' as never, 5n, null)],
])('given %s, then it is explained as that, paid or not', async (_, error) => {
  for (const isPaid of [true, false]) expect(await explain(error, isPaid)).toBe(error)
})

test('given a defect, then a payer hears that nothing was charged', async () => {
  expect(await explain(cause, true)).toMatchObject({ status: 500, reason: 'payment_rejected' })
  expect(await explain(cause, false)).toBe(cause)
})

test('given a refusal after the nodes are lost, then 503: what it was founded on cannot be checked', async () => {
  const chain = { isUndisputed: () => Promise.reject(new ChainUnavailable('no answer')) }
  const refusal = new ServiceError(409, 'payment_preflight_rejected', 'for the test', { detail: 'would_revert' })
  const options = { key, payment: 'eA==', head: {} as never }
  expect(await explainFailure({ ...(deps as object), chain } as never, refusal, options)).toMatchObject({
    status: 503,
    options: { detail: 'node_unavailable', cause: { cause: refusal } },
  })
})

test('given ids as facts of a refusal, then they are decimal strings, or null without one', () => {
  const vault = { address: `0x${'11'.repeat(20)}`, epoch: 3n }
  const facts = { raterAgentId: null, workerAgentId: 7n, vault } as never
  expect(toFactHints(['raterAgentId', 'workerAgentId', 'vault'], facts)).toEqual({
    raterAgentId: null,
    workerAgentId: '7',
    vault: { address: vault.address, epoch: '3' },
  })
  expect(() => toFactHints(['reward'], facts)).toThrow('the fact reward was not read')
})
