import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { anActor } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor().address

const api = aStartedApi()
/** Every public task, newest first. */
const visible: string[] = []

beforeAll(async () => {
  for (let made = 0; made < 22; made += 1) {
    const tags = made === 0 ? ['design', 'logo'] : ['design']
    visible.unshift((await api.seed.task({ requester, expiryTime: START + 86_400n }, { tags })).id)
  }
})

const idsOf = (answer: Answer): string[] => answer.body.tasks.map((task: { id: string }) => task.id)

test('serves 20 tasks when no limit is given, in at most three statements', async () => {
  const { sql, count } = countStatements(api.sql)
  const response = await createApp(onDatabase(api.deps, sql)).request('/api/tasks')
  const body = (await response.json()) as { tasks: { id: string }[]; hasMore: boolean }
  expect(body.tasks.map(({ id }) => id)).toEqual(visible.slice(0, 20))
  expect(body.hasMore).toBe(true)
  expect(count()).toBeLessThanOrEqual(3)
})

test('asks for all of several tags, repeated or in brackets', async () => {
  for (const query of ['tags=design&tags=logo', 'tags[]=design&tags[]=logo']) {
    expect(idsOf(await api.get(`/api/tasks?${query}`))).toEqual(visible.slice(-1))
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
  'limit=101',
  'limit=1e1',
  'limit=1&limit=2',
  'cursor=yesterday',
  'auctionType=ALL',
  'maxReward=1.5',
  'deadlineHours=1.5',
  'worker=alice',
  `q=${'x'.repeat(201)}`,
  'q=%00',
  'q=%ED%A0%80%00',
  'tags=t&'.repeat(11),
  `minReward=${'9'.repeat(80)}`,
])('refuses %s with the name of the field', async (query) => {
  const answer = await api.get(`/api/tasks?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.body.issues[0].path.split('.')[0]).toBe(query.split('=')[0])
  expect(answer.body.service).toMatchObject({ reason: 'unclassified', detail: 'invalid_input' })
})
