import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

/** Alice is awarded, bob is not. */
const [alice, bob, stranger] = [anActor(), anActor(), anActor()]

let requester: Actor
beforeAll(async () => {
  requester = await environment.aWallet()
})

/** A task with a submission of alice and one of bob. */
async function aContest(submissionVisibility: string, fields: Record<string, unknown> = {}): Promise<Hex> {
  const taskId = await environment.createTask(requester, { submissionVisibility, ...fields })
  await environment.submit(alice, taskId)
  await environment.submit(bob, taskId)
  return taskId
}

/** The workers whose submissions each caller sees. */
async function viewsOf(taskId: Hex) {
  const workersSeenBy = async (as?: Actor) => {
    const { body } = await environment.get(`/tasks/${taskId}/submissions`, as && { as })
    return body.map(({ workerAddress }: { workerAddress: string }) =>
      workerAddress === alice.account.address ? 'alice' : 'bob',
    )
  }
  return {
    requester: await workersSeenBy(requester),
    alice: await workersSeenBy(alice),
    bob: await workersSeenBy(bob),
    stranger: await workersSeenBy(stranger),
    anonymous: await workersSeenBy(),
  }
}

const all = ['alice', 'bob']
const ownOnly = { requester: all, alice: ['alice'], bob: ['bob'], stranger: [], anonymous: [] }
const everything = { requester: all, alice: all, bob: all, stranger: all, anonymous: all }
const winnersToo = { requester: all, alice: ['alice'], bob: all, stranger: ['alice'], anonymous: ['alice'] }

describe('Submission visibility gating', () => {
  test.each([
    ['reveal_all', ownOnly, everything],
    ['winner_only', ownOnly, winnersToo],
  ])('%s: while active and after completion', async (visibility, active, completed) => {
    const taskId = await aContest(visibility)
    expect(await viewsOf(taskId)).toEqual(active)
    await environment.accept(requester, taskId, alice)
    expect(await viewsOf(taskId)).toEqual(completed)
  })
})

describe('Task visibility: unlisted', () => {
  test('is not in the list, including its requester’s and its worker’s', async () => {
    const taskId = await environment.createTask(requester, { taskVisibility: 'unlisted', tags: ['hidden'] })
    await environment.submit(alice, taskId)
    await environment.accept(requester, taskId, alice)
    for (const query of [`requester=${requester.address}`, `worker=${alice.address}`, 'tags=hidden', 'limit=100']) {
      const { body } = await environment.get(`/tasks?${query}`, { as: requester })
      expect(body.tasks.map(({ id }: { id: Hex }) => id)).not.toContain(taskId)
    }
  })
})

describe('Task visibility: private', () => {
  const fields = { taskVisibility: 'private', accessPassword: 'eight+ characters', tags: ['hidden'] }

  test('is readable only by its requester; other callers get the answer of an unknown task', async () => {
    const taskId = await environment.createTask(requester, fields)
    const { body: task } = await environment.get(`/tasks/${taskId}`, { as: requester })
    expect(task).toMatchObject({ id: taskId, taskVisibility: 'private', tags: ['hidden'] })
    const unknown = `0x${'ef'.repeat(32)}`
    for (const as of [stranger, undefined]) {
      for (const path of ['', '/submissions', '/claim', '/feedbacks']) {
        const [hidden, missing] = await Promise.all(
          [taskId, unknown].map((id) => environment.get(`/tasks/${id}${path}`, as && { as })),
        )
        expect(hidden?.status).toBe(missing?.status)
        expect(hidden?.text).toBe(missing?.text)
      }
      expect((await environment.get(`/tasks/${task.referenceCode}`, as && { as })).body).toBe(null)
    }
  })

  test('keeps both visibilities after an update of its texts', async () => {
    const taskId = await environment.createTask(requester, { ...fields, submissionVisibility: 'never' })
    const { status, body } = await environment.pay(requester, `/tasks/${taskId}/update`, { description: 'Other words' })
    expect({ status, description: body.description }).toEqual({ status: 200, description: 'Other words' })
    expect(body).toMatchObject({ taskVisibility: 'private', submissionVisibility: 'never', hasAccessPassword: true })
    expect((await environment.get(`/tasks/${taskId}`, { as: stranger })).body).toBe(null)
  })
})
