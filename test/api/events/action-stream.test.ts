import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ActionQueue } from '../../../api/features/tasks/worklists/worklists.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { createLogRows } from './log-rows.ts'
import { startStreams } from './stream-client.ts'

let api: TestApi
let streams: Awaited<ReturnType<typeof startStreams>>
const worker = anActor()

beforeAll(async () => {
  api = await startTestApi()
  streams = await startStreams(api)
})
afterAll(async () => {
  streams?.stop()
  await api?.stop()
})
afterEach(() => {
  streams.closeAll()
  api.chain.now = START
})

type Items = ActionQueue['items']

/** A client that keeps a queue by what its stream says. */
async function followQueue(wallet: Actor, caller: Actor | null) {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const stream = await streams.connect(`?actions=${wallet.address}`, headers)
  const items = new Map<string, Items[number]>()
  const apply = async () => {
    const { event, data = '' } = (await stream.next()) ?? {}
    if (event === 'actions') {
      items.clear()
      for (const item of JSON.parse(data).items) items.set(item.id, item)
    }
    if (event === 'action.available') items.set(JSON.parse(data).id, JSON.parse(data))
    if (event === 'action.closed') expect(items.delete(JSON.parse(data).id)).toBe(true)
    return event
  }
  return {
    stream,
    items,
    apply,
    /** Reads on until it has what a GET answers now. */
    settle: async () => {
      const { body } = await api.get(`/api/agents/action-queue?address=${wallet.address}`, headers)
      const now = new Map((body.items as Items).map((item) => [item.id, item]))
      while (!isEqual(items, now)) expect(await apply()).toBeDefined()
      return now
    },
  }
}

const isEqual = (one: Map<string, unknown>, other: Map<string, unknown>) =>
  one.size === other.size && [...one].every(([id, item]) => JSON.stringify(item) === JSON.stringify(other.get(id)))

/** Tasks of a wallet in three roles, one of them private, and what the indexer and time do to them. */
async function aWallet() {
  const wallet = anActor()
  const mine = {
    requester: wallet.address,
    mode: 'claim',
    worker: worker.address,
    expiryTime: START + 10n * DAY,
  } as const
  const tasks = [
    await api.seed.task({ ...mine, status: 'pending_approval' }),
    await api.seed.task({ ...mine, status: 'claimed', expiryTime: START + 3n * DAY }, { taskVisibility: 'private' }),
    await api.seed.task({ ...mine, requester: worker.address, worker: wallet.address, status: 'claimed' }),
  ]
  await api.seed.submission(tasks[0]?.id ?? '0x', worker.address)
  return { wallet, tasks, logs: tasks.map(({ id }) => createLogRows(api, { taskId: id, subject: worker.address })) }
}

const DAY = 86_400n
const statuses = ['claimed', 'pending_approval', 'review', 'cancelled'] as const

describe('the action queue in a stream', () => {
  it(
    'given any history of tasks and time, then a client that applies it has the queue of a GET, its own and that of everyone',
    async () => {
      const { wallet, tasks, logs } = await aWallet()
      const [log] = logs
      let block = 1
      await log?.append(block)
      const [own, everyones] = [await followQueue(wallet, wallet), await followQueue(wallet, null)]
      const step = fc.oneof(
        fc.record({ task: fc.nat(2), status: fc.constantFrom(...statuses) }),
        fc.record({ seconds: fc.bigInt(1n, 2n * DAY) }),
      )
      expect((await own.settle()).size).toBe(2)
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          for (const at of steps) {
            block += 1
            if ('seconds' in at) api.chain.now += at.seconds
            else {
              await api.sql`update task set status = ${at.status} where id = ${tasks[at.task]?.id ?? ''}`
              await logs[at.task]?.mine(block, 1)
            }
            await log?.append(block)
          }
          await own.settle()
          await everyones.settle()
          expect([...everyones.items.keys()].join()).not.toContain(tasks[1]?.id)
        }),
        { numRuns: byDepth(2, 300) },
      )
    },
    byDepth(60_000, 1_200_000),
  )

  it('given a reorg that takes a task away, then its work is closed', async () => {
    const { wallet, tasks, logs } = await aWallet()
    const [log] = logs
    await log?.setHead(1_000)
    await log?.mine(1_000, 1)
    await log?.append()
    const own = await followQueue(wallet, wallet)
    expect((await own.settle()).size).toBe(2)
    await api.sql`delete from task_event where task_id = ${tasks[0]?.id ?? ''}`
    await api.sql`delete from task where id = ${tasks[0]?.id ?? ''}`
    await log?.append(1_001)
    expect((await own.settle()).size).toBe(1)
  })

  it('given a page, then the parameter is refused; given a client with five of these streams, then one more is 429', async () => {
    const wallet = anActor()
    const page = await api.get(`/api/events?actions=${wallet.address}`)
    expect(page.status).toBe(400)
    expect(JSON.stringify(page.body)).toContain('text/event-stream')
    for (let count = 0; count < 5; count += 1) await streams.connect(`?actions=${wallet.address}`)
    expect((await streams.connect(`?actions=${wallet.address}`)).response.status).toBe(429)
    expect((await streams.connect()).response.status).toBe(200)
  })
})
