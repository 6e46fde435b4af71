import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

let [owner, stranger]: Actor[] = []
beforeAll(async () => {
  ;[owner, stranger] = [await environment.aWallet(), await environment.aWallet()]
})

const summer = { name: 'Summer of escrow', description: 'Small tasks in the sun' }

/** A task of a drop; its id and the drop's. */
async function createIn(drop: Record<string, unknown>, by?: Actor): Promise<{ taskId: string; taskDropId: string }> {
  const { status, body } = await environment.pay(by ?? theOwner(), '/tasks', aTaskBody(drop))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

function theOwner(): Actor {
  if (owner === undefined) throw new Error('no owner yet')
  return owner
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const tasksOf = async (dropId: string) => idsOf((await environment.get(`/task-drops/${dropId}?limit=100`)).body.tasks)
const isListed = async (dropId: string) =>
  idsOf((await environment.get('/task-drops?limit=100')).body.taskDrops).includes(dropId)

describe('Create task: taskDropCreate and taskDropId', () => {
  test('a new drop is returned with its id, and exists in the next read', async () => {
    const { taskId, taskDropId } = await createIn({ taskDropCreate: summer })
    const { status, body } = await environment.get(`/task-drops/${taskDropId}`)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        id: taskDropId,
        ownerAddress: theOwner().account.address,
        ...summer,
        createdAt: expect.any(String),
        nextCursor: null,
        hasMore: false,
      },
    })
    expect(idsOf(body.tasks)).toEqual([taskId])
    expect(body.tasks[0]).toEqual((await environment.get(`/tasks?taskDropId=${taskDropId}`)).body.tasks[0])
    expect(await isListed(taskDropId)).toBe(true)
    const task = (await environment.get(`/tasks/${taskId}`)).body
    expect(task).toMatchObject({ taskDropId, taskDrop: { id: taskDropId, name: summer.name } })
  })

  test('its owner adds tasks, in any mode', async () => {
    const { taskId, taskDropId } = await createIn({ taskDropCreate: summer })
    const added = await createIn({ taskDropId: taskDropId.toUpperCase(), mode: 'pitch' })
    expect(added.taskDropId).toBe(taskDropId)
    expect(await tasksOf(taskDropId)).toEqual([added.taskId, taskId])
  })

  test('only the owner adds tasks; another wallet is refused and charged nothing', async () => {
    const { taskId, taskDropId } = await createIn({ taskDropCreate: summer })
    if (stranger === undefined) throw new Error('no stranger yet')
    const money = await environment.chain.watch({ stranger: stranger.address })
    const answer = await environment.pay(stranger, '/tasks', aTaskBody({ taskDropId }))
    expectRefusal(answer, 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
    expect(await tasksOf(taskDropId)).toEqual([taskId])
  })
})

describe('Task drops', () => {
  test('an unknown drop is answered with 404', async () => {
    expectRefusal(await environment.get('/task-drops/nowhere'), 404, 'unclassified')
  })
})
