import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Blocks that a reorg of these tests undoes at most; what is stored lies deeper. */
const DEEPEST_REORG = 30
const requester = anActor().address

let api: TestApi
beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.stop())

/** What a block did: creations and updates of tasks by their number. */
type Step =
  | { kind: 'create'; visibility: 'public' | 'unlisted' | 'none'; reward: number }
  | { kind: 'update'; task: number; reward: number; content: 'same' | 'known' | 'unknown' }
  | { kind: 'blocks'; count: number }
  | { kind: 'reorg'; depth: number }
  | { kind: 'read' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      visibility: fc.constantFrom('public' as const, 'public' as const, 'unlisted' as const, 'none' as const),
      reward: fc.integer({ min: 1000, max: 9_000_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      task: fc.nat(30),
      reward: fc.integer({ min: 1000, max: 9_000_000 }),
      content: fc.constantFrom('same' as const, 'known' as const, 'unknown' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('blocks' as const), count: fc.integer({ min: 1, max: 150 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: DEEPEST_REORG }) }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'read' as const }) },
)

test('whatever is created, updated and undone, the stats are what a count of all tasks finds', async () => {
  let stored = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const chain = await anEmptyChain()
      for (const each of [...steps, { kind: 'read' } as const]) {
        await chain.play(each)
        if (each.kind === 'read') {
          const { body } = await api.get('/api/tasks/stats')
          expect(body).toEqual(await countAll())
          // Again: the first may have moved what is stored.
          expect((await api.get('/api/tasks/stats')).body).toEqual(body)
        }
      }
      stored += (await api.sql`select from service.public_totals`).length
    }),
    { numRuns: 12, seed: 8195 },
  )
  expect(stored).toBeGreaterThan(6)
})

/** A task's terms at the end of each of its events, newest last. */
interface Played {
  id: Hex
  visibility: 'public' | 'unlisted' | 'none'
  events: { block: number; name: string; reward: number; contentHash: Hex }[]
}

/** The read model of a chain that a test plays by hand, in blocks of two seconds. */
async function anEmptyChain() {
  const { sql, seed } = api
  let head = 100
  const tasks: Played[] = []
  await sql`delete from service.task_content`
  await sql`truncate idx_0000000000000000.task, task_event, reference_code, indexed_head, service.public_totals`
  const moveHead = async (by: number) => {
    head += by
    await sql`delete from indexed_head`
    await sql`insert into indexed_head (block_number, block_timestamp, checkpoint)
      values (${BigInt(head)}, ${timeOf(head)}, '')`
  }
  const logEvent = async (task: Played, event: Played['events'][number]) => {
    const terms = { reward: String(event.reward), contentHash: event.contentHash }
    await sql`insert into task_event ${sql({
      id: `${task.id}:${task.events.length}`,
      taskId: task.id,
      ordinal: task.events.length,
      name: event.name,
      subject: requester,
      statusAfter: 'open',
      args: event.name === 'TaskCreated' ? sql.json({ terms }) : sql.json(terms),
      blockNumber: BigInt(event.block),
      blockTimestamp: timeOf(event.block),
      transactionHash: aHash(),
      transactionIndex: 0,
      logIndex: 0,
    })}`
    task.events.push(event)
  }
  await moveHead(0)

  const create = async ({ visibility, reward }: Extract<Step, { kind: 'create' }>) => {
    await moveHead(1)
    const texts = visibility === 'none' ? null : { taskVisibility: visibility }
    const terms = { requester, reward: BigInt(reward), listed: visibility !== 'unlisted' }
    const row = await seed.task({ ...terms, createdAtMs: timeOf(head) * 1000n + BigInt(tasks.length % 3) }, texts)
    await sql`update task set block_number = ${BigInt(head)} where id = ${row.id}`
    const task: Played = { id: row.id, visibility, events: [] }
    await logEvent(task, { block: head, name: 'TaskCreated', reward, contentHash: row.contentHash })
    tasks.push(task)
  }

  const update = async ({ task: number, reward, content }: Extract<Step, { kind: 'update' }>) => {
    const task = tasks[number % Math.max(tasks.length, 1)]
    const present = task?.events.at(-1)
    if (task === undefined || present === undefined) return
    await moveHead(1)
    const known = tasks[(number + 1) % tasks.length]?.events[0]?.contentHash ?? present.contentHash
    const contentHash = { same: present.contentHash, known, unknown: aHash() }[content]
    await logEvent(task, { block: head, name: 'TaskUpdated', reward, contentHash })
    await sql`update task set reward = ${BigInt(reward)}, content_hash = ${contentHash} where id = ${task.id}`
  }

  /** Undoes what the last blocks did; other blocks take their place. */
  const reorganize = async (depth: number) => {
    const kept = BigInt(head - depth)
    await sql`delete from task_event where block_number > ${kept}`
    await sql`delete from task where block_number > ${kept}`
    for (const task of tasks.slice()) {
      task.events = task.events.filter(({ block }) => BigInt(block) <= kept)
      const last = task.events.at(-1)
      if (last === undefined) tasks.splice(tasks.indexOf(task), 1)
      else {
        const { reward, contentHash } = last
        await sql`update task set reward = ${BigInt(reward)}, content_hash = ${contentHash} where id = ${task.id}`
      }
    }
    await moveHead(0)
  }

  return {
    play: async (each: Step): Promise<void> => {
      if (each.kind === 'create') await create(each)
      if (each.kind === 'update') await update(each)
      if (each.kind === 'blocks') await moveHead(each.count)
      if (each.kind === 'reorg') await reorganize(each.depth)
    },
  }
}

function timeOf(block: number): bigint {
  return START + 2n * BigInt(block)
}

/** The same by a full count. */
async function countAll() {
  const [row] = await api.sql<{ count: bigint; total: bigint }[]>`
    select count(*) as count, coalesce(sum(reward), 0) as total from task t
    where listed and exists (
      select from service.task_content c
      where c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public')`
  return { count: Number(row?.count), totalRewards: String(row?.total) }
}

test('figures of another deployment of the read model are not built upon', async () => {
  const chain = await anEmptyChain()
  await chain.play({ kind: 'create', visibility: 'public', reward: 5000 })
  await chain.play({ kind: 'blocks', count: 200 })
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 1, totalRewards: '5000' })
  await api.sql`update service.public_totals set deployment = 'another', task_count = 77`
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 1, totalRewards: '5000' })
  const [row] = await api.sql`select task_count from service.public_totals`
  expect(row?.taskCount).toBe(1n)
})

test('stored figures are what readers start from', async () => {
  const chain = await anEmptyChain()
  await chain.play({ kind: 'create', visibility: 'public', reward: 5000 })
  await chain.play({ kind: 'blocks', count: 100 })
  await api.get('/api/tasks/stats')
  await api.sql`update service.public_totals set task_count = task_count + 10`
  await chain.play({ kind: 'create', visibility: 'public', reward: 6000 })
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 12, totalRewards: '11000' })
})

test('while the read model is not ready, everything is counted and nothing stored', async () => {
  const chain = await anEmptyChain()
  await chain.play({ kind: 'create', visibility: 'public', reward: 5000 })
  await chain.play({ kind: 'blocks', count: 200 })
  await api.sql`update indexed_head set ready = false`
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 1, totalRewards: '5000' })
  expect(await api.sql`select from service.public_totals`).toHaveLength(0)
})
