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

  test('a drop needs no description', async () => {
    const { taskDropId } = await createIn({ taskDropCreate: { name: 'n' } })
    expect((await environment.get(`/task-drops/${taskDropId}`)).body).toMatchObject({ name: 'n', description: null })
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

  test.each<[string, Record<string, unknown>, 400 | 404]>([
    ['an unknown drop', { taskDropId: 'nowhere' }, 404],
    ['an empty drop id', { taskDropId: '' }, 400],
    ['both an existing and a new drop', { taskDropId: 'nowhere', taskDropCreate: summer }, 400],
    ['a drop without a name', { taskDropCreate: { description: 'x' } }, 400],
    ['a drop with an empty name', { taskDropCreate: { name: '' } }, 400],
    ['a name of 81 characters', { taskDropCreate: { name: 'x'.repeat(81) } }, 400],
    ['a description of 501 characters', { taskDropCreate: { name: 'x', description: 'x'.repeat(501) } }, 400],
  ])('%s is refused before the 402', async (_name, drop, status) => {
    const answer = await environment.post('/tasks', { body: aTaskBody(drop) })
    expectRefusal(answer, status, 'payment_preflight_rejected')
  })

  test('a name of 80 characters and a description of 500 are accepted', async () => {
    const longest = { name: '二'.repeat(80), description: '行'.repeat(500) }
    const { taskDropId } = await createIn({ taskDropCreate: longest })
    expect((await environment.get(`/task-drops/${taskDropId}`)).body).toMatchObject(longest)
  })

  test('the same key returns the same drop, which is created once', async () => {
    const [key, body] = [crypto.randomUUID(), aTaskBody({ taskDropCreate: summer })]
    const first = await environment.pay(theOwner(), '/tasks', body, key)
    const again = await environment.post('/tasks', { body, key })
    expectRefusal(again, 409, 'idempotency_key_reused')
    const { body: list } = await environment.get('/task-drops?limit=1')
    expect(idsOf(list.taskDrops)).toEqual([first.body.taskDropId])
  })

  test('round one alone creates no drop', async () => {
    const before = (await environment.get('/task-drops?limit=1')).body.taskDrops
    expect((await environment.post('/tasks', { body: aTaskBody({ taskDropCreate: summer }) })).status).toBe(402)
    expect((await environment.get('/task-drops?limit=1')).body.taskDrops).toEqual(before)
  })
})

describe('Task drops', () => {
  test('a drop is listed with its public tasks only; unlisted ones have its id and are excluded', async () => {
    const { taskId, taskDropId } = await createIn({ taskDropCreate: summer, taskVisibility: 'unlisted' })
    expect(await isListed(taskDropId)).toBe(false)
    expect(await tasksOf(taskDropId)).toEqual([])
    expect((await environment.get(`/tasks/${taskId}`)).body.taskDrop).toEqual({ id: taskDropId, name: summer.name })
    const shown = await createIn({ taskDropId })
    expect(await isListed(taskDropId)).toBe(true)
    expect(await tasksOf(taskDropId)).toEqual([shown.taskId])
  })

  test('a drop of private tasks only is visible to its owner; its name is visible to viewers of its tasks only', async () => {
    const secret = { name: 'Hidden', description: 'Hidden as well' }
    const fields = { taskDropCreate: secret, taskVisibility: 'private', accessPassword: 'a long password' }
    const { taskId, taskDropId } = await createIn(fields)
    expect(await isListed(taskDropId)).toBe(false)
    expectRefusal(await environment.get(`/task-drops/${taskDropId}`), 404, 'unclassified')
    expect((await environment.get(`/tasks/${taskId}`)).body).toBeNull()
    const as = { as: theOwner() }
    expect((await environment.get(`/task-drops/${taskDropId}`, as)).body).toMatchObject({ ...secret, tasks: [] })
    expect((await environment.get(`/tasks/${taskId}`, as)).body.taskDrop).toEqual({ id: taskDropId, name: secret.name })
    expect((await environment.get(`/tasks?taskDropId=${taskDropId}`, as)).body.tasks).toEqual([])
  })

  test('a task remains in its drop after an update of its texts, and after its end', async () => {
    const { taskId, taskDropId } = await createIn({ taskDropCreate: summer })
    const { body } = await environment.pay(theOwner(), `/tasks/${taskId}/update`, { description: 'Other words' })
    expect(body).toMatchObject({ description: 'Other words', taskDropId })
    await environment.cancel(theOwner(), taskId as `0x${string}`)
    expect((await environment.get(`/task-drops/${taskDropId}`)).body.tasks).toMatchObject([
      { id: taskId, status: 'cancelled', taskDrop: { id: taskDropId, name: summer.name } },
    ])
  })

  test('drops and their tasks are paged, newest first', async () => {
    const { taskId, taskDropId } = await createIn({ taskDropCreate: summer })
    const second = await createIn({ taskDropId })
    const other = await createIn({ taskDropCreate: summer })
    const page = (await environment.get('/task-drops?limit=1')).body
    expect([idsOf(page.taskDrops), page.hasMore]).toEqual([[other.taskDropId], true])
    const next = (await environment.get(`/task-drops?limit=1&cursor=${page.nextCursor}`)).body
    expect(idsOf(next.taskDrops)).toEqual([taskDropId])

    const newest = (await environment.get(`/task-drops/${taskDropId}?limit=1`)).body
    expect([idsOf(newest.tasks), newest.hasMore]).toEqual([[second.taskId], true])
    const rest = (await environment.get(`/task-drops/${taskDropId}?limit=1&cursor=${newest.nextCursor}`)).body
    expect(rest).toMatchObject({ tasks: [{ id: taskId }], nextCursor: null, hasMore: false })
  })

  test('an unknown drop is answered with 404', async () => {
    expectRefusal(await environment.get('/task-drops/nowhere'), 404, 'unclassified')
  })
})
