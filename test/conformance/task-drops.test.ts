import { expect, test } from 'vitest'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()

const summer = { name: 'Summer of escrow', description: 'Small tasks in the sun' }
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

async function createIn(owner: Actor, drop: Record<string, unknown>): Promise<{ taskId: string; taskDropId: string }> {
  const { status, body } = await environment.pay(owner, '/tasks', aTaskBody(drop))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

test('given a task that makes a drop, then the drop exists in the next read, and its owner adds tasks in any mode', async () => {
  const owner = await environment.aWallet()
  const { taskId, taskDropId } = await createIn(owner, { taskDropCreate: summer })
  const drop = async () => (await environment.get(`/task-drops/${taskDropId}?limit=100`)).body
  const { tasks, ...shown } = await drop()
  expect(shown).toMatchObject({ id: taskDropId, ownerAddress: owner.account.address, ...summer, hasMore: false })
  expect(idsOf(tasks)).toEqual([taskId])
  expect(tasks).toEqual((await environment.get(`/tasks?taskDropId=${taskDropId}`)).body.tasks)
  expect(idsOf((await environment.get('/task-drops?limit=100')).body.taskDrops)).toContain(taskDropId)
  const { body: task } = await environment.get(`/tasks/${taskId}`)
  expect(task).toMatchObject({ taskDropId, taskDrop: { id: taskDropId, name: summer.name } })

  const added = await createIn(owner, { taskDropId: taskDropId.toUpperCase(), mode: 'pitch' })
  expect(added.taskDropId).toBe(taskDropId)
  expect(idsOf((await drop()).tasks)).toEqual([added.taskId, taskId])
})
