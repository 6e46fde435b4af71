import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type FilterName, taskFilters } from '../../../api/features/task-filters.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { anActor } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { listOf, type ModelQuery, type ModelTask, queries, toSearch, type Values } from './list-tasks-model.ts'

const phases = ['active', 'in_review', 'awaiting_settlement', 'resolved']
const values: Values = {
  statuses: taskStatuses,
  modes: ['bounty', 'claim', 'pitch', 'benchmark', 'auction'],
  auctionTypes: ['dutch', 'english', 'reverse_dutch', 'reverse_english'],
  tags: ['ink', 'paper', 'maps'],
  words: ['bakery', 'harbour', 'lantern'],
  rewards: [1_000n, 1_000_000n, 5_000_000n, 5_000_001n, 80_000_000n],
  requesters: [anActor(), anActor(), anActor(), anActor()].map(({ address }) => address),
  workers: [anActor(), anActor(), anActor()].map(({ address }) => address),
  drops: ['spring', 'summer'],
}
/** The seed is the same each time: another run of it finds nothing new. */
const seed = 20_260_101

const api = aStartedApi()
const tasks: ModelTask[] = []

beforeAll(async () => {
  const [agent = '0x', other = '0x'] = values.requesters
  await api.seed.agent(agent as `0x${string}`, { agentId: 0n })
  await api.seed.agent(other as `0x${string}`)
  for (const id of values.drops) await api.seed.drop(agent as `0x${string}`, { id })
  // One market, the same each time.
  for (const drawn of fc.sample(drawnTask, { numRuns: 160, seed })) tasks.push(await make(drawn))
})

const oneOf = <Value>(list: readonly Value[]) => fc.constantFrom(...list)
const drawnTask = fc.record({
  requester: oneOf(values.requesters),
  status: oneOf(taskStatuses),
  mode: oneOf(values.modes),
  auctionType: oneOf(values.auctionTypes),
  reward: oneOf(values.rewards),
  // Around now, and now itself; deadlines of filters are hit exactly.
  expiresIn: oneOf([-86_400, -1, 0, 1, 3_600, 3_601, 86_400, 172_800]),
  worker: fc.option(oneOf(values.workers)),
  secondWorker: fc.option(oneOf(values.workers)),
  tags: fc.subarray([...values.tags]),
  words: fc.subarray([...values.words]),
  visibility: oneOf(['public', 'public', 'public', 'public', 'unlisted', 'private', 'none'] as const),
  listed: oneOf([true, true, true, true, true, false]),
  dropId: fc.option(oneOf(values.drops), { freq: 2 }),
})

type Drawn = typeof drawnTask extends fc.Arbitrary<infer Value> ? Value : never

async function make(drawn: Drawn): Promise<ModelTask> {
  const texts =
    drawn.visibility === 'none'
      ? null
      : { tags: drawn.tags, description: `Draw ${drawn.words.join(' ')}`.trim(), taskVisibility: drawn.visibility }
  const isCompleted = drawn.status === 'completed'
  const task = await api.seed.task(
    {
      requester: drawn.requester as `0x${string}`,
      status: drawn.status,
      mode: drawn.mode,
      reward: drawn.reward,
      listed: drawn.listed,
      auctionType: drawn.mode === 'auction' ? drawn.auctionType : null,
      expiryTime: START + BigInt(drawn.expiresIn),
      worker: drawn.worker as `0x${string}` | null,
    },
    texts,
  )
  if (drawn.dropId !== null) await api.seed.dropMember(drawn.dropId, task, texts?.taskVisibility)
  const awardedTo = isCompleted ? [...new Set([drawn.worker, drawn.secondWorker].filter((one) => one !== null))] : []
  for (const [index, worker] of awardedTo.entries()) {
    await api.seed.award(task.id, worker as `0x${string}`, { rank: index + 1 })
  }
  return {
    ...task,
    awardedTo,
    texts,
    dropId: drawn.dropId,
    requesterIsAgent: drawn.requester === values.requesters[0],
  }
}

interface Page {
  tasks: { id: string; reward: string; expiryTime: string; createdAt: string }[]
  nextCursor: string | null
  hasMore: boolean
}

async function page(search: string): Promise<Page> {
  const { status, body } = await api.get(`/api/tasks?${search}`)
  expect(status, search).toBe(200)
  return body
}

/** Every page, one after the other. */
async function walk(
  query: ModelQuery & { sort?: string },
  limit: number,
  betweenPages = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const found = await page(`${toSearch(query)}&limit=${limit}${from}`)
    expect(found.tasks.length).toBeLessThanOrEqual(limit)
    expect(found.hasMore).toBe(found.nextCursor !== null)
    seen.push(...found.tasks.map(({ id }) => id))
    cursor = found.nextCursor
    await betweenPages()
  }
  return seen
}

const idsOf = (query: ModelQuery, now = START) => listOf(tasks, query, now).map(({ id }) => id)

test('any filters together find what the model finds, in its order, on pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(queries(values), fc.integer({ min: 1, max: 100 }), async (query, limit) => {
      expect(await walk(query, limit)).toEqual(idsOf(query))
    }),
    { seed, numRuns: byDepth(12, 150) },
  )
})

/** Values of each filter, at its bounds and in every spelling that its parameter admits: each leaves some tasks out. */
const valuesOf: Record<FilterName, () => readonly ModelQuery[FilterName][]> = {
  status: () => taskStatuses,
  phase: () => phases,
  mode: () => values.modes,
  auctionType: () => values.auctionTypes,
  requesterActorType: () => ['agent', 'human'],
  tags: () => [...values.tags, values.tags.slice(0, 2), 'ink,,paper,'],
  minReward: () => [1_001n, ...values.rewards.slice(1), 80_000_001n],
  maxReward: () => [999n, ...values.rewards.slice(0, -1)],
  deadlineHours: () => [1, 2, 24, 48],
  requester: () => values.requesters.flatMap((requester) => [requester, upper(requester)]),
  worker: () => values.workers.flatMap((worker) => [worker, upper(worker)]),
  taskDropId: () => [...values.drops, 'Summer', 'nowhere'],
  q: () => [...values.words, tasks[0]?.referenceCode ?? '', tasks[0]?.referenceCode.toLowerCase() ?? '', 'nowhere'],
}

test.each(Object.keys(taskFilters) as FilterName[])(
  'the filter %s leaves what its row of the model says',
  async (name) => {
    const lists = await Promise.all(valuesOf[name]().map((value) => walk({ [name]: value }, 100)))
    expect(lists).toEqual(valuesOf[name]().map((value) => idsOf({ [name]: value })))
    expect(lists.some((list) => list.length > 0)).toBe(true)
    expect(lists.every((list) => list.length < idsOf({}).length)).toBe(true)
  },
)

test.each(['status', 'mode'])('%s ALL, and a list of no tags, leave nothing out', async (name) => {
  expect(await walk({ [name]: 'ALL' }, 100)).toEqual(idsOf({}))
  expect(await walk({ tags: '' }, 100)).toEqual(idsOf({}))
})

test.each([
  ['reward_desc', (one: ModelTask, other: ModelTask) => compare(other.reward, one.reward) || newer(one, other)],
  ['reward_asc', (one: ModelTask, other: ModelTask) => compare(one.reward, other.reward) || newer(other, one)],
  [
    'deadline_asc',
    (one: ModelTask, other: ModelTask) => compare(one.expiryTime, other.expiryTime) || newer(other, one),
  ],
] as const)(
  'pages by sort %s of any size put together are the one total order over any filters',
  async (sort, order) => {
    await fc.assert(
      fc.asyncProperty(queries(values), fc.integer({ min: 1, max: 100 }), async (query, limit) => {
        const expected = listOf(tasks, query, START).toSorted(order)
        expect(await walk({ ...query, sort }, limit)).toEqual(expected.map(({ id }) => id))
      }),
      { seed, numRuns: byDepth(4, 60) },
    )
  },
)

test('relevance puts in order what the newest order finds, on pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(queries(values), oneOf(values.words), fc.integer({ min: 1, max: 30 }), async (query, q, limit) => {
      const { tasks: whole } = await page(`${toSearch({ ...query, q })}&sort=relevance&limit=100`)
      const ids = whole.map(({ id }) => id)
      expect(ids.toSorted()).toEqual(idsOf({ ...query, q }).toSorted())
      expect(await walk({ ...query, q, sort: 'relevance' }, limit)).toEqual(ids)
    }),
    { seed, numRuns: byDepth(4, 40) },
  )
})

test('as time passes, tasks move between phases and none is lost', async () => {
  const moments = [START - 86_401n, START + 1n, START + 3_600n, START + 172_800n]
  try {
    for (const now of moments) {
      api.chain.now = now
      for (const phase of phases) expect(await walk({ phase }, 25)).toEqual(idsOf({ phase }, now))
      for (const status of taskStatuses) expect(await walk({ status }, 25)).toEqual(idsOf({ status }, now))
      expect(await walk({ deadlineHours: 1 }, 25)).toEqual(idsOf({ deadlineHours: 1 }, now))
    }
  } finally {
    api.chain.now = START
  }
})

// Last: it adds to the market.
test('tasks that come in at the head while a caller pages neither repeat nor hide any', async () => {
  const before = idsOf({})
  const [drawn] = fc.sample(drawnTask, { numRuns: 1, seed: 7 })
  for (const limit of [3, 10]) {
    const seen = await walk({}, limit, async () => {
      if (drawn) await make({ ...drawn, visibility: 'public', listed: true })
    })
    expect(seen.slice(-before.length)).toEqual(before)
    expect(new Set(seen).size).toBe(seen.length)
  }
})

test('relevance pages through the 200 ranked matches of its first page, whatever is created meanwhile', async () => {
  const [drawn] = fc.sample(drawnTask, { numRuns: 1, seed: 8 })
  if (drawn === undefined) expect.fail('no task drawn')
  const create = async () =>
    tasks.push(await make({ ...drawn, words: ['compass'] as never, visibility: 'public', listed: true }))
  for (let created = 0; created < 205; created += 1) await create()
  const ids = idsOf({ q: 'compass' })
  const seen: string[] = []
  let last: Page & { ranked?: number } = await page('q=compass&sort=relevance&limit=60')
  for (seen.push(...last.tasks.map(({ id }) => id)); last.nextCursor !== null; ) {
    expect(last.ranked).toBeUndefined()
    await create()
    last = await page(`q=compass&sort=relevance&limit=60&cursor=${last.nextCursor}`)
    seen.push(...last.tasks.map(({ id }) => id))
  }
  expect(seen).toEqual(ids.slice(0, 200))
  expect([last.hasMore, last.ranked]).toEqual([false, 200])
  const few = await page(`q=compass&sort=relevance&limit=60&worker=${anActor().address}`)
  expect(few).toEqual({ tasks: [], nextCursor: null, hasMore: false })
})

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function upper(address: string): string {
  return `0x${address.slice(2).toUpperCase()}`
}

function newer(one: ModelTask, other: ModelTask): number {
  return compare(other.createdAtMs, one.createdAtMs)
}
