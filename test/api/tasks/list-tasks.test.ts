import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { taskSchema } from '../../../api/features/tasks/tasks.schemas.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'

const phases = ['active', 'in_review', 'awaiting_settlement', 'resolved']
const DAY = 86_400n

const requester = anActor()
const alice = anActor()
const bob = anActor()

let api: TestApi
/** Every public task, newest first. */
let visible: string[]

beforeAll(async () => {
  api = await startTestApi()
  const { seed } = api
  const made: string[] = []
  const keep = (task: { id: string }) => made.unshift(task.id)

  for (const [index, status] of taskStatuses.entries()) {
    const reward = BigInt(1_000_000 * (index + 1))
    // Half of them past their deadline, in every status.
    keep(await seed.task({ requester: requester.address, status, reward, expiryTime: START + DAY }, { tags: ['even'] }))
    keep(await seed.task({ requester: requester.address, status, reward, expiryTime: START - DAY }, { tags: ['odd'] }))
  }
  keep(
    await seed.task(
      { requester: alice.address, expiryTime: START + 3600n },
      { tags: ['design', 'logo'], description: 'Draw a logo for a bakery' },
    ),
  )
  const claimed = await seed.task({ requester: bob.address, mode: 'claim', status: 'claimed', worker: alice.address })
  keep(claimed)
  const won = await seed.task({ requester: bob.address }, { tags: ['design'] })
  keep(won)
  await seed.award(won.id, alice.address, { rank: 2, gross: 1n })
  await seed.award(won.id, requester.address, { rank: 1 })
  await seed.agent(alice.address, { agentId: 0n })
  keep(await seed.task({ requester: bob.address, mode: 'auction', auctionType: 'dutch', bidDeadline: START + 10n }))

  await seed.task({ requester: requester.address, listed: false }, { taskVisibility: 'unlisted' })
  await seed.task({ requester: requester.address, listed: false }, { taskVisibility: 'private' })
  await seed.task({ requester: requester.address }, null)
  visible = made
})
afterAll(() => api.stop())

const idsOf = (answer: Answer): string[] => answer.body.tasks.map((task: { id: string }) => task.id)

async function listAll(query: string): Promise<string[]> {
  const answer = await api.get(`/api/tasks?limit=100&${query}`)
  expect(answer.status).toBe(200)
  return idsOf(answer)
}

test('lists every public task newest first, and neither unlisted, private nor contentless ones', async () => {
  expect(await listAll('')).toEqual(visible)
})

test('serves tasks in the shape the description promises', async () => {
  const { body } = await api.get('/api/tasks?limit=100')
  const page = z.object({ tasks: z.array(taskSchema), nextCursor: z.null(), hasMore: z.literal(false) })
  expect(page.parse(body).tasks).toHaveLength(visible.length)
})

test.each([1, 2, 3, 7, 10, 23, 24, 25, 100])('concatenated pages of %i are the whole list', async (limit) => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await api.get(`/api/tasks?limit=${limit}${from}`)
    expect(body.tasks.length).toBeLessThanOrEqual(limit)
    expect(body.hasMore).toBe(body.nextCursor !== null)
    seen.push(...body.tasks.map((task: { id: string }) => task.id))
    cursor = body.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(visible)
})

test('serves 20 tasks when no limit is given', async () => {
  const answer = await api.get('/api/tasks')
  expect(idsOf(answer)).toEqual(visible.slice(0, 20))
  expect(answer.body.hasMore).toBe(true)
})

test('phases partition the list', async () => {
  const parts = await Promise.all(phases.map((phase) => listAll(`phase=${phase}`)))
  expect(parts.flat().sort()).toEqual([...visible].sort())
  expect(parts.every((part) => part.length > 0)).toBe(true)
})

test('statuses partition the list, but for running tasks past their deadline', async () => {
  const parts = (await Promise.all(taskStatuses.map((status) => listAll(`status=${status}`)))).flat()
  const awaiting = await listAll('phase=awaiting_settlement')
  expect([...parts, ...awaiting].sort()).toEqual([...visible].sort())
  expect(await listAll('status=ALL')).toEqual(visible)
})

test.each(phases)('phase=%s lists the tasks that say they are in it, and a status narrows it', async (phase) => {
  const { body } = await api.get('/api/tasks?limit=100')
  const said = body.tasks.filter((task: { phase: string }) => task.phase === phase)
  expect(await listAll(`phase=${phase}`)).toEqual(said.map((task: { id: string }) => task.id))
  const expired = said.filter((task: { status: string }) => task.status === 'expired')
  expect(await listAll(`phase=${phase}&status=expired`)).toEqual(expired.map((task: { id: string }) => task.id))
})

test('the phase of a task turns when the chain head reaches its deadline, and not before', async () => {
  const [target] = await listAll(`requester=${alice.address}`)
  try {
    api.chain.now = START + 3599n
    expect(await listAll('phase=active')).toContain(target)
    expect(await listAll('status=open')).toContain(target)
    api.chain.now = START + 3600n
    expect(await listAll('phase=awaiting_settlement')).toContain(target)
    expect(await listAll('status=open')).not.toContain(target)
    // The deadline rule of the status stands before the phase, as the parameter's description says.
    expect(await listAll('status=open&phase=awaiting_settlement')).toEqual([])
  } finally {
    api.chain.now = START
  }
})

test('modes partition the list', async () => {
  const modes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction']
  const parts = await Promise.all(modes.map((mode) => listAll(`mode=${mode}`)))
  expect(parts.flat().sort()).toEqual([...visible].sort())
  expect(await listAll('mode=ALL')).toEqual(visible)
  expect(await listAll('auctionType=dutch')).toEqual(await listAll('mode=auction'))
})

test('actor types partition the list, and agent id 0 is an agent', async () => {
  const agents = await listAll('requesterActorType=agent')
  expect(agents).toEqual(await listAll(`requester=${alice.address}`))
  expect(agents).toHaveLength(1)
  expect([...agents, ...(await listAll('requesterActorType=human'))].sort()).toEqual([...visible].sort())
})

test('finds a requester and a worker in any letter case; a worker by assignment and by award', async () => {
  expect(await listAll(`requester=${alice.account.address}`)).toHaveLength(1)
  expect(await listAll(`worker=${alice.account.address}`)).toHaveLength(2)
  expect(await listAll(`worker=${requester.address.toUpperCase().replace('0X', '0x')}`)).toHaveLength(1)
  expect(await listAll(`worker=${anActor().address}`)).toEqual([])
})

test('asks for all of several tags, repeated, in brackets or comma separated', async () => {
  expect(await listAll('tags=design')).toHaveLength(2)
  for (const query of [
    'tags=design&tags=logo',
    'tags=design,logo',
    'tags[]=design&tags[]=logo',
    'tags=logo,,design,',
  ]) {
    expect(await listAll(query)).toHaveLength(1)
  }
  expect(await listAll('tags=design,even')).toEqual([])
  expect(await listAll('tags=')).toEqual(visible)
})

test('bounds the reward on both sides, both included', async () => {
  expect(await listAll('minReward=3000000&maxReward=3000000')).toHaveLength(2)
  expect(await listAll('minReward=10000001')).toEqual([])
  const below = await listAll('maxReward=4999999')
  const above = await listAll('minReward=5000000')
  expect([...below, ...above].sort()).toEqual([...visible].sort())
})

test('deadlineHours lists what expires within so many hours from now', async () => {
  expect(await listAll('deadlineHours=1')).toEqual(await listAll(`requester=${alice.address}`))
  const within = await listAll('deadlineHours=24')
  const past = await listAll('tags=odd')
  expect([...within, ...past].sort()).toEqual([...visible].sort())
})

test('searches description and tags in full text, and the reference code in any case', async () => {
  const [logo] = await listAll(`requester=${alice.address}`)
  expect(await listAll('q=logos')).toEqual([logo])
  expect(await listAll(`q=${encodeURIComponent('drawing "for a bakery"')}`)).toEqual([logo])
  expect(await listAll('q=bakery%20-logo')).toEqual([])
  const { body } = await api.get(`/api/tasks/${logo}`)
  expect(await listAll(`q=${body.referenceCode.toLowerCase()}`)).toEqual([logo])
  expect((await listAll('q=design&sort=relevance')).length).toBe(2)
})

test('sort deadline_asc puts the earliest expiry first', async () => {
  const { body } = await api.get('/api/tasks?limit=100&sort=deadline_asc')
  const deadlines = body.tasks.map((task: { expiryTime: string }) => task.expiryTime)
  expect(deadlines).toEqual([...deadlines].sort())
})

const sorts = ['newest', 'reward_desc', 'reward_asc', 'deadline_asc', 'relevance'] as const

/** The cursor of a list's first page of one task. */
async function cursorOf(sort: string): Promise<string> {
  const { body } = await api.get(`/api/tasks?sort=${sort}&q=haiku&limit=1`)
  expect(body.hasMore).toBe(true)
  return body.nextCursor
}

test('a cursor is the ISO time of creation with sort newest, and a short opaque text with the others', async () => {
  const { body } = await api.get('/api/tasks?limit=3')
  expect(body.nextCursor).toBe(body.tasks[2].createdAt)
  for (const sort of sorts.slice(1)) expect(await cursorOf(sort)).toMatch(/^[\w-]{1,200}$/)
})

test.each(sorts)('a cursor of sort %s is refused with every other sort by its detail', async (of) => {
  const cursor = encodeURIComponent(await cursorOf(of))
  for (const sort of sorts) {
    const { status, body } = await api.get(`/api/tasks?sort=${sort}&q=haiku&cursor=${cursor}`)
    if (sort === of) expect(status).toBe(200)
    else expect([status, body.service.detail, body.issues[0].path]).toEqual([400, 'cursor_of_other_sort', 'cursor'])
  }
})

test('an opaque text that no page gave is refused with its field, and breaks no statement', async () => {
  const texts = [
    'reward_desc',
    'reward_desc 1',
    'reward_desc x 1',
    'reward_desc -1 1',
    `reward_desc ${'9'.repeat(79)} 1`,
    'reward_desc 1 1 1',
    'reward_desc 1 9223372036854775807',
    'deadline_asc 99999999999999999999 1',
    'newest 1 1',
    'relevance 0.1 1',
    'relevance 1e99 1 1',
    'relevance 1e-50 1 1',
    'relevance NaN 1 1',
    'relevance 0.1 1 1 1',
    'random 1 1',
  ]
  for (const text of texts) {
    const sort = sorts.find((known) => text.startsWith(known)) ?? 'newest'
    const cursor = Buffer.from(text).toString('base64url')
    const { status, body } = await api.get(`/api/tasks?sort=${sort}&q=haiku&cursor=${cursor}`)
    expect([text, status, body.issues?.[0].path]).toEqual([text, 400, 'cursor'])
  }
  for (const cursor of ['2026-13-01T00:00:00Z', '2026-01-01', '%00', 'x'.repeat(201)]) {
    expect((await api.get(`/api/tasks?cursor=${cursor}`)).status, cursor).toBe(400)
  }
})

test('relevance without q is refused by the name of the field', async () => {
  const withoutQ = await api.get('/api/tasks?sort=relevance')
  expect([withoutQ.status, withoutQ.body.issues[0].path]).toEqual([400, 'q'])
})

test('more minus signs in a row than a search can take are refused with their field', async () => {
  for (const [q, status] of [
    ['-'.repeat(30), 200],
    [`a or b ${'-'.repeat(30)}c`, 200],
    [`a or b ${'-'.repeat(31)}c`, 400],
    ['- ('.repeat(33), 400],
    ['-'.repeat(200), 400],
  ] as const) {
    const answer = await api.get(`/api/tasks?q=${encodeURIComponent(q)}`)
    expect([q, answer.status]).toEqual([q, status])
    if (status === 400) expect(answer.body.issues[0].path).toBe('q')
  }
})

test('no task belongs to a task drop here', async () => {
  expect(await listAll('taskDropId=summer')).toEqual([])
})

test.each([
  'limit=0',
  'limit=101',
  'limit=abc',
  'limit=1e1',
  'limit=',
  'limit=1&limit=2',
  'cursor=yesterday',
  'status=done',
  'phase=x',
  'mode=bounties',
  'auctionType=ALL',
  'requesterActorType=bot',
  'minReward=-1',
  'maxReward=1.5',
  'deadlineHours=0',
  'deadlineHours=1.5',
  'requester=0x12',
  'worker=alice',
  'q=',
  `q=${'x'.repeat(201)}`,
  'q=%00',
  'q=%ED%A0%80%00',
  'sort=random',
  'taskDropId=',
  'tags=t&'.repeat(11),
  `minReward=${'9'.repeat(80)}`,
])('refuses %s with the name of the field', async (query) => {
  const answer = await api.get(`/api/tasks?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.body.issues[0].path.split('.')[0]).toBe(query.split('=')[0])
  expect(answer.body.service).toEqual({ reason: 'unclassified' })
})
