import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { taskSchema } from '../../../api/features/tasks/tasks.schemas.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'

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

test('serves 20 tasks when no limit is given', async () => {
  const answer = await api.get('/api/tasks')
  expect(idsOf(answer)).toEqual(visible.slice(0, 20))
  expect(answer.body.hasMore).toBe(true)
})

test('asks for all of several tags, repeated or in brackets', async () => {
  for (const query of ['tags=design&tags=logo', 'tags[]=design&tags[]=logo']) {
    expect(await listAll(query)).toHaveLength(1)
  }
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
  expect(answer.body.service).toMatchObject({ reason: 'unclassified', detail: 'invalid_input' })
})
