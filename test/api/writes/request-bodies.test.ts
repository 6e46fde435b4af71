import { afterAll, beforeAll, expect, it } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const REJECTED = 'payment_preflight_rejected'

const send = (path: string, body: string) => api.post(path, body, { 'X-Service-Idempotency-Key': crypto.randomUUID() })

it.each([
  ['no JSON for a paid write', '/api/tasks', '{', 400, REJECTED],
  ['no JSON for a write that is never paid', '/api/wallet/withdraw', '{', 400, 'unclassified'],
  ['a body that is too long', '/api/tasks', `"${'x'.repeat(1_100_000)}"`, 413, 'unclassified'],
])('given %s, then it is refused before anything is reserved', async (_, path, body, status, reason) => {
  const answer = await send(path, body)
  expect([answer.status, answer.body.service.reason]).toEqual([status, reason])
  // No field is wrong: there are none.
  expect(answer.body).not.toHaveProperty('issues')
})

it('given the id of another task in the body, then 400 names it; the same in capitals is left out', async () => {
  const { id } = await api.seed.task({ requester: anActor().address })
  const rate = (taskId: unknown) =>
    send(`/api/tasks/${id}/accept`, JSON.stringify({ worker: anActor().address, taskId }))
  for (const other of [aHash(), 7, null]) {
    const { status, body } = await rate(other)
    expect([status, body.service.reason, body.issues?.[0]?.path]).toEqual([400, REJECTED, 'taskId'])
  }
  const refusals: unknown[] = []
  for (const same of [undefined, id, id.toUpperCase().replace('X', 'x')]) refusals.push((await rate(same)).body.service)
  expect(refusals[1]).toEqual(refusals[0])
  expect(refusals[2]).toEqual(refusals[0])
})
