import { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StorageFullError, StorageUnavailableError } from '../../../api/artifacts/storage/object-store.ts'
import { renderError } from '../../../api/errors/render-error.ts'
import { ServiceError } from '../../../api/errors/service-error.ts'
import { explainFailure } from '../../../api/writes/stages/explain-failure.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const full = new StorageFullError({ cause: new Error('ENOSPC: no space left on device') })
const unavailable = new StorageUnavailableError({ cause: new Error('GET was answered 403 AccessDenied') })

async function answerTo(thrown: Error): Promise<Response> {
  const app = new Hono().get('/', () => {
    throw thrown
  })
  app.onError((error, c) => renderError(c, error, { log: pino({ level: 'silent' }), publicBaseUrl: null }))
  return await app.request('/')
}

test('a full storage is 507 to the client', async () => {
  const response = await answerTo(full)
  expect(response.status).toBe(507)
  expect(await response.json()).toMatchObject({ code: 'INSUFFICIENT_STORAGE', service: { reason: 'unclassified' } })
})

test('a storage that does not answer is 503 to the client, who is told when to come again and nothing else', async () => {
  const response = await answerTo(unavailable)
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.json()).toEqual({
    error: 'The service cannot reach its files now; try again shortly.',
    code: 'SERVICE_UNAVAILABLE',
    service: { reason: 'unclassified', detail: 'storage_unavailable' },
  })
})

test.each([true, false])(
  'given no storage before bind, paid %s, then nothing was charged and the key stays good',
  async (isPaid) => {
    const key = crypto.randomUUID()
    const failure = await explainFailure(api.deps, unavailable, {
      key,
      payment: isPaid ? 'eA==' : undefined,
      head: null,
    })
    if (!(failure instanceof ServiceError)) throw new Error('it is not explained')
    expect(failure).toMatchObject({ status: 503, reason: 'idempotency_check_unavailable' })
    expect(failure.message).toContain('nothing was charged. Repeat the request with the same key.')
    expect(failure.options).toMatchObject({ intent: { idempotencyKey: key }, headers: { 'Retry-After': '2' } })
  },
)

test.each([true, false])('given a full storage before bind, paid %s, then it stays just that', async (isPaid) => {
  const request = { key: crypto.randomUUID(), payment: isPaid ? 'eA==' : undefined, head: null }
  expect(await explainFailure(api.deps, full, request)).toBe(full)
})
