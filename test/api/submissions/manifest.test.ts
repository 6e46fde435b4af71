import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'

const requester = anActor()
const alice = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

test('a submission without a manifest, of another task or of none is 404', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const other = await api.seed.task({ requester: requester.address })
  const direct = await api.seed.submission(task.id, alice.address, { files: null })
  const stored = await api.seed.submission(task.id, alice.address)
  for (const path of [
    `/api/tasks/${task.id}/submissions/${direct.id}/manifest`,
    `/api/tasks/${other.id}/submissions/${stored.id}/manifest`,
    `/api/tasks/${task.id}/submissions/${aHash()}/manifest`,
    `/api/tasks/${aHash()}/submissions/${stored.id}/manifest`,
  ]) {
    expect((await api.get(path)).status).toBe(404)
  }
  expect((await api.get(`/api/tasks/${task.id}/submissions/1/manifest`)).status).toBe(400)
})
