import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboxSchema } from '../../../api/features/tasks/worklists/worklists.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import type { TaskAccess, TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

const stranger = anActor()
const other = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const inboxOf = async (owner: Actor, caller: Actor | null = owner, query = '') => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const {
    status,
    body,
    headers: answered,
  } = await api.get(`/api/agents/inbox?address=${owner.account.address}${query}`, headers)
  expect(status).toBe(200)
  const { asRequester, asWorker, invitedPrivateTasks } = inboxSchema.parse(body)
  const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id)
  return {
    asRequester: ids(asRequester),
    asWorker: ids(asWorker),
    invitedPrivateTasks: ids(invitedPrivateTasks),
    links: (answered.get('link') ?? '').split(', ').filter((link) => link !== ''),
    actions: [asRequester, asWorker, invitedPrivateTasks].flat().flatMap(({ pendingActions }) => pendingActions),
  }
}

const aTask = (
  columns: Partial<TaskColumns> = {},
  texts: Partial<TaskTexts> | null = {},
  access: Partial<TaskAccess> = {},
) => api.seed.task({ requester: other.address, ...columns }, texts, access)

test('given tasks of a requester, then running ones come first, each part newest first, without actions', async () => {
  const alice = anActor()
  const columns = { requester: alice.address }
  const first = await aTask({ ...columns, status: 'expired' })
  const second = await aTask(columns)
  const third = await aTask({ ...columns, status: 'cancelled' })
  const fourth = await aTask({ ...columns, mode: 'claim', status: 'review' })
  await aTask()
  const { asRequester, asWorker, actions } = await inboxOf(alice, null)
  expect(asRequester).toEqual([fourth.id, second.id, third.id, first.id])
  expect([asWorker, actions]).toEqual([[], []])
})

test('given every part of a worker, then each task is listed once', async () => {
  const alice = anActor()
  const claimed = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address })
  const delivered = await aTask({ mode: 'claim', status: 'pending_approval', worker: alice.address })
  await api.seed.submission(delivered.id, alice.address)
  const submitted = await aTask()
  await api.seed.submission(submitted.id, alice.address)
  const pitched = await aTask({ mode: 'pitch' })
  await api.seed.pitch(pitched.id, alice.address)
  const proven = await aTask({ mode: 'benchmark' })
  await api.seed.proof(proven.id, alice.address)
  const awarded = await aTask()
  await api.seed.submission(awarded.id, alice.address)
  await api.seed.award(awarded.id, alice.address)
  const expected = [proven, pitched, submitted, delivered, claimed, awarded].map(({ id }) => id)
  expect((await inboxOf(alice)).asWorker).toEqual(expected)
  expect((await inboxOf(alice, null)).asWorker).toEqual(expected)
})

test('given a bid, then only the bidder is told', async () => {
  const alice = anActor()
  const auction = await aTask({ mode: 'auction', auctionType: 'english', bidDeadline: 1_893_460_000n })
  await api.seed.bid(auction, alice.address, 5n)
  expect((await inboxOf(alice)).asWorker).toEqual([auction.id])
  for (const caller of [null, stranger, other]) expect((await inboxOf(alice, caller)).asWorker).toEqual([])
})

test('given unlisted and private tasks, then only the address itself is told', async () => {
  const alice = anActor()
  const hidden = [
    await aTask({ requester: alice.address }, { taskVisibility: 'unlisted' }),
    await aTask({ requester: alice.address }, { taskVisibility: 'private' }),
    await aTask({ requester: alice.address }, null),
  ].map(({ id }) => id)
  expect((await inboxOf(alice)).asRequester).toEqual(hidden.toReversed())
  for (const caller of [null, stranger, other]) expect((await inboxOf(alice, caller)).asRequester).toEqual([])
})

test('given invitations, then those to tasks without a part are listed, to the invited alone', async () => {
  const alice = anActor()
  const invited = { viewers: [alice.address] }
  const entered = await aTask({}, { taskVisibility: 'private' }, invited)
  await api.seed.submission(entered.id, alice.address)
  const ended = await aTask({ status: 'expired' }, { taskVisibility: 'private' }, invited)
  const running = await aTask({}, { taskVisibility: 'private' }, invited)
  await aTask({}, { taskVisibility: 'private' })
  const own = await inboxOf(alice)
  expect([own.asWorker, own.invitedPrivateTasks]).toEqual([[entered.id], [running.id, ended.id]])
  for (const caller of [null, stranger, other]) {
    const { asWorker, invitedPrivateTasks } = await inboxOf(alice, caller)
    expect([asWorker, invitedPrivateTasks]).toEqual([[], []])
  }
})

test('given an entry by a direct call into a private task, then not even its worker is shown the task', async () => {
  const alice = anActor()
  const task = await aTask({}, { taskVisibility: 'private' })
  await api.seed.submission(task.id, alice.address)
  expect((await inboxOf(alice)).asWorker).toEqual([])
})

test('given more tasks than a page, then Links lead through each section exactly, whatever is created meanwhile', async () => {
  const alice = anActor()
  const made: Hex[] = []
  const make = async (count: number, columns: Partial<TaskColumns>) => {
    for (let index = 0; index < count; index += 1) {
      made.push((await aTask({ requester: alice.address, ...columns })).id)
    }
  }
  await make(130, { status: 'expired' })
  const ended = made.splice(0).toReversed()
  await make(280, {})
  const running = made.splice(0).toReversed()
  const claimed = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address })
  const first = await inboxOf(alice)
  expect(first.asRequester).toEqual(running.slice(0, 200))
  expect(first.asWorker).toEqual([claimed.id])
  const found = [...first.asRequester]
  let links = first.links
  for (; links.length > 0; await make(3, {})) {
    expect(links).toHaveLength(1)
    expect(links[0]).toMatch(/; rel="next"; title="asRequester"$/)
    const next = new URL(/<([^>]+)>/.exec(links[0] ?? '')?.[1] ?? '')
    const page = await inboxOf(alice, alice, `&${next.searchParams}`.replace(/&address=[^&]+/, ''))
    expect([page.asWorker, page.invitedPrivateTasks]).toEqual([[], []])
    found.push(...page.asRequester)
    links = page.links
  }
  expect(found).toEqual([...running, ...ended])
})

test('given a task that ends between two pages, then it is not lost', async () => {
  const alice = anActor()
  const ids: Hex[] = []
  for (let index = 0; index < 203; index += 1) ids.unshift((await aTask({ requester: alice.address })).id)
  const [link = ''] = (await inboxOf(alice)).links
  const [, after = ''] = /after=([^&>]+)/.exec(link) ?? []
  await api.sql`update task set status = 'expired', ended_at = 1 where id = ${ids[201] ?? ''}`
  const page = await inboxOf(alice, alice, `&section=asRequester&after=${after}`)
  expect(page.asRequester).toEqual([ids[200], ids[202], ids[201]])
})

test.each(['', '?address=0x12', '?address=ADDRESS&after=running-1', '?address=ADDRESS&section=asWorker&after=x'])(
  'given %j, then it is refused',
  async (query) => {
    expect((await api.get(`/api/agents/inbox${query.replace('ADDRESS', other.address)}`)).status).toBe(400)
  },
)

test('given an unknown address, then all sections are empty', async () => {
  const { asRequester, asWorker, invitedPrivateTasks, links } = await inboxOf(anActor())
  expect([asRequester, asWorker, invitedPrivateTasks, links]).toEqual([[], [], [], []])
})
