import { getAddress, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { feedbackSchema } from '../../../api/features/feedback/list-feedbacks.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'

const requester = anActor()
const alice = anActor()
const bob = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.agent(alice.address, { agentId: 5n })
})
afterAll(() => api.stop())

test('given the ratings of a task, then they are listed, with and without a text', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const ofAlice = await api.seed.rating(task, alice.address, 95, 'Fine work')
  const ofBob = await api.seed.rating(task, bob.address, 0, null)
  const { status, body } = await api.get(`/api/tasks/${task.id}/feedbacks`)
  expect(status).toBe(200)
  const { feedbacks } = z.object({ feedbacks: z.array(feedbackSchema) }).parse(body)
  const byId = new Map(feedbacks.map((feedback) => [feedback.id, feedback]))
  expect(feedbacks).toHaveLength(2)
  expect(byId.get(ofAlice.id)).toMatchObject({
    taskId: task.id,
    workerAddress: getAddress(alice.address),
    workerAgentId: '5',
    requesterAddress: getAddress(requester.address),
    requesterAgentId: null,
    rating: 95,
    feedbackText: 'Fine work',
  })
  expect(byId.get(ofBob.id)).toMatchObject({ rating: 0, feedbackText: null, workerAgentId: null })
})

test('given a feedback hash, then its exact bytes are served', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const { id, feedbackHash } = await api.seed.rating(task, alice.address, 60, 'Okay — ünïcode')
  const response = await api.app.request(`/api/feedback/${id}`)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(keccak256(new Uint8Array(await response.arrayBuffer()))).toBe(feedbackHash)
})

test('given a feedback without a file, or an unknown one, then 404', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const { id } = await api.seed.rating(task, alice.address, 60, null)
  for (const missing of [id, aHash()]) expect((await api.get(`/api/feedback/${missing}`)).status).toBe(404)
  expect((await api.get('/api/feedback/7')).status).toBe(400)
})

test('given feedback of a private task, then its access policy applies', async () => {
  const task = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
  await api.seed.award(task.id, alice.address)
  const { id } = await api.seed.rating(task, alice.address, 60, 'Secret praise')
  const paths = [`/api/feedback/${id}`, `/api/tasks/${task.id}/feedbacks`]
  for (const path of paths) {
    expect((await api.get(path)).status).toBe(404)
    expect((await api.get(path, await readHeadersOf(bob))).status).toBe(404)
    for (const insider of [requester, alice])
      expect((await api.get(path, await readHeadersOf(insider))).status).toBe(200)
  }
})
