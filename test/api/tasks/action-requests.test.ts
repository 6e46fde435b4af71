import { afterAll, beforeAll, expect, test } from 'vitest'
import { actionRequestOf } from '../../../api/domain/action-request.ts'
import { writes } from '../../../api/server/routes.ts'
import { actionNames } from '../../../protocol/actions.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'

/** Interface, "Corrections after the first build": `pendingActions[].request`. */

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const task = { id: aHash(), claimRound: 2, serviceName: 'service' }
const [requester, worker] = [anActor(), anActor()]

test.each(actionNames)('%s names the write that takes it, and its signature where it needs one', async (action) => {
  const { method, path, operationId, sign } = actionRequestOf(action, task)
  const write = writes.find((candidate) => candidate.operationId === operationId) ?? expect.fail(operationId)
  expect({ method, path }).toEqual({ method: 'POST', path: `/api${write.path.replace('{taskId}', task.id)}` })
  // The one signature that may be left out is the requester's over a selection.
  const needsSignature = write.signed !== undefined && action !== 'select_worker'
  expect(sign !== null).toBe(needsSignature)
  if (!needsSignature) return
  const input = {
    params: { taskId: task.id },
    body: { workerAddress: worker.address, requesterAddress: requester.address, signature: '0x' },
  }
  const signed = write.signed?.(input, task, api.deps) ?? expect.fail('a body without a signature')
  if (!('text' in signed)) expect.fail('no text')
  const texts = (signed.suffixes ?? ['']).map((suffix) => `service:${signed.text}${suffix}`)
  expect(texts).toContain(sign)
})

test('an entry can be acted on as it stands, in the round the task is in', async () => {
  const { id } = await api.seed.task({ requester: requester.address, mode: 'claim', claimRound: 3 })
  const { pendingActions } = (await api.get(`/api/tasks/${id}`)).body
  const [claim] = pendingActions.filter(({ action }: { action: string }) => action === 'claim')
  expect(claim.request).toEqual({
    method: 'POST',
    path: `/api/tasks/${id}/claim`,
    operationId: 'createClaim',
    sign: `service:claim:${id}:3`,
  })
  const signature = await worker.account.signMessage({ message: claim.request.sign })
  const answer = await api.post(
    claim.request.path,
    { workerAddress: worker.address, signature },
    { 'X-Service-Idempotency-Key': crypto.randomUUID(), Prefer: 'handling=strict' },
  )
  // Past rules and signature: the fake chain simulates nothing.
  expect(answer.body.issues).toBeUndefined()
  expect(answer.status).not.toBe(403)
  expect((await api.get('/api/tasks')).body.tasks[0].pendingActions[0].request.method).toBe('POST')
})
