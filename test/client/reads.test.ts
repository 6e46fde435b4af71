import { describe, expect, test } from 'vitest'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

describe('The reads of a client', () => {
  test('given more rows than a page, then the iterators go through all of them once', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const client = aClient(requester)
    const made = []
    for (const _ of [1, 2, 3]) made.push(await environment.createTask(requester))
    const ids = []
    const query = { limit: 1, requester: requester.address }
    for await (const { id } of client.list('/api/tasks', { query })) ids.push(id)
    expect(ids).toEqual(made.reverse())

    const taskId = await environment.createTask(requester)
    for (const _ of [1, 2, 3]) await environment.submit(worker, taskId)
    const rows = []
    const options = { path: { taskId }, query: { limit: 1 } }
    for await (const row of client.list('/api/tasks/{taskId}/submissions', options)) rows.push(row.id)
    expect(new Set(rows).size).toBe(3)
  })

  test('given any sort and tags with commas, then the iterators go through all tasks in that order', async () => {
    const requester = await environment.aWallet()
    const client = aClient(requester)
    const made = []
    for (const reward of ['3000000', '1000000', '2000000']) {
      made.push(await environment.createTask(requester, { reward, tags: ['Red, green', 'Blue'] }))
    }
    const ids = []
    const query = { limit: 1, requester: requester.address, sort: 'reward_asc', tags: ['red, GREEN', 'blue'] }
    for await (const { id } of client.list('/api/tasks', { query })) ids.push(id)
    expect(ids).toEqual([made[1], made[2], made[0]])
  })

  test('given a status to wait for, then the task is returned when it has it, and null when it does not', async () => {
    const requester = await environment.aWallet()
    const client = aClient(requester)
    const taskId = await environment.createTask(requester)
    const waiting = client.waitFor(taskId, ['cancelled', 'completed'], { pauseMs: 50, timeoutMs: 30_000 })
    expect(await client.write('cancelTask', { taskId })).toMatchObject({ kind: 'completed' })
    expect(await waiting).toMatchObject({ id: taskId, status: 'cancelled' })
    expect(await client.waitFor(taskId, 'open', { pauseMs: 10, timeoutMs: 50 })).toBeNull()
  })
})
