import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** One requester's tasks, selected by the filter `requester`, in the order of their creation. */
let requester: Actor
let alice: Actor
let haiku: Hex
let sonnet: Hex
let limerick: Hex
let done: Hex
let cancelled: Hex

beforeAll(async () => {
  requester = await environment.aWallet()
  alice = anActor()
  haiku = await environment.createTask(requester, { reward: '1000000', duration: 48, tags: ['poem', 'short'] })
  sonnet = await environment.createTask(requester, {
    reward: '9000000',
    duration: 2,
    tags: ['poem'],
    description: 'Fourteen lines about zymurgy',
  })
  limerick = await environment.createTask(requester, {
    reward: '5000000',
    duration: 24,
    tags: ['short', 'funny, rude'],
  })
  done = await environment.createTask(requester, { reward: '4000000', duration: 72, tags: [] })
  await environment.submit(alice, done)
  await environment.accept(requester, done, alice)
  cancelled = await environment.createTask(requester, { reward: '3000000', duration: 96, tags: ['poem'] })
  await environment.cancel(requester, cancelled)
  await environment.createTask(requester, { taskVisibility: 'unlisted', tags: ['poem'] })
  await environment.createTask(requester, {
    taskVisibility: 'private',
    tags: ['poem'],
    allowedViewers: [alice.address],
  })
})

/** The ids of a list, restricted to this file's requester. */
async function listIds(query = ''): Promise<Hex[]> {
  const { status, body } = await environment.get(`/tasks?requester=${requester.address}${query}`)
  if (status !== 200) throw new Error(`${query} answered ${status}: ${JSON.stringify(body)}`)
  return body.tasks.map(({ id }: { id: Hex }) => id)
}

describe('List tasks: GET /tasks', () => {
  test('lists public tasks, newest first, without unlisted and private ones', async () => {
    expect(await listIds()).toEqual([cancelled, done, limerick, sonnet, haiku])
  })

  test('pages by cursor: every task once, in order, and the last page has no cursor', async () => {
    const pages: Hex[][] = []
    let cursor = ''
    for (let hasMore = true; hasMore; ) {
      const { body } = await environment.get(`/tasks?requester=${requester.address}&limit=2${cursor}`)
      pages.push(body.tasks.map(({ id }: { id: Hex }) => id))
      hasMore = body.hasMore
      expect(body.nextCursor === null).toBe(!hasMore)
      // The cursor is the time of the page's last task: what follows was created before it.
      if (hasMore) expect(body.nextCursor).toBe(body.tasks.at(-1).createdAt)
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    expect(pages).toEqual([[cancelled, done], [limerick, sonnet], [haiku]])
  })

  test.each([
    ['open', () => [limerick, sonnet, haiku]],
    ['completed', () => [done]],
    ['cancelled', () => [cancelled]],
    ['expired', () => []],
    ['claimed', () => []],
    ['ALL', () => [cancelled, done, limerick, sonnet, haiku]],
  ])('filters by status %s', async (status, expected) => {
    expect(await listIds(`&status=${status}`)).toEqual(expected())
  })

  test.each([
    ['active', () => [limerick, sonnet, haiku]],
    ['resolved', () => [cancelled, done]],
    ['in_review', () => []],
    ['awaiting_settlement', () => []],
  ])('filters by phase %s', async (phase, expected) => {
    expect(await listIds(`&phase=${phase}`)).toEqual(expected())
  })

  test('combines phase with status', async () => {
    expect(await listIds('&phase=resolved&status=cancelled')).toEqual([cancelled])
    expect(await listIds('&phase=active&status=cancelled')).toEqual([])
  })

  test.each([
    ['mode=bounty', () => [cancelled, done, limerick, sonnet, haiku]],
    ['mode=ALL', () => [cancelled, done, limerick, sonnet, haiku]],
    ['mode=auction', () => []],
    ['auctionType=dutch', () => []],
    ['requesterActorType=human', () => [cancelled, done, limerick, sonnet, haiku]],
    ['requesterActorType=agent', () => []],
    ['tags=poem', () => [cancelled, sonnet, haiku]],
    ['tags=poem&tags=short', () => [haiku]],
    ['tags=short,poem', () => [haiku]],
    ['tags=Poem', () => [cancelled, sonnet, haiku]],
    ['tags=funny, rude', () => [limerick]],
    ['minReward=4000000', () => [done, limerick, sonnet]],
    ['maxReward=4000000', () => [cancelled, done, haiku]],
    ['minReward=4000000&maxReward=5000000', () => [done, limerick]],
    ['deadlineHours=1', () => []],
    ['deadlineHours=2', () => [sonnet]],
    ['deadlineHours=25', () => [limerick, sonnet]],
    ['taskDropId=unknown', () => []],
    ['q=zymurgy', () => [sonnet]],
    ['q=rude', () => [limerick]],
    ['sort=newest', () => [cancelled, done, limerick, sonnet, haiku]],
    ['sort=reward_desc', () => [sonnet, limerick, done, cancelled, haiku]],
    ['sort=reward_asc', () => [haiku, cancelled, done, limerick, sonnet]],
    ['sort=deadline_asc', () => [sonnet, limerick, haiku, done, cancelled]],
  ])('answers %s', async (query, expected) => {
    expect(await listIds(`&${query}`)).toEqual(expected())
  })

  test('finds the tasks of an awarded worker, in any letter case', async () => {
    for (const worker of [alice.address, alice.account.address, `0x${alice.address.slice(2).toUpperCase()}`]) {
      expect(await listIds(`&worker=${worker}`)).toEqual([done])
    }
  })

  test('finds a task by its reference code, and ranks by relevance', async () => {
    const { referenceCode } = (await environment.get(`/tasks/${sonnet}`)).body
    expect(await listIds(`&q=${referenceCode}`)).toEqual([sonnet])
    expect(await listIds('&q=zymurgy&sort=relevance')).toEqual([sonnet])
  })

  test.each(['reward_desc', 'reward_asc', 'deadline_asc'])('pages by cursor with sort %s', async (sort) => {
    const whole = await listIds(`&sort=${sort}`)
    const pages: Hex[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await environment.get(`/tasks?requester=${requester.address}&sort=${sort}&limit=2${cursor}`)
      pages.push(...body.tasks.map(({ id }: { id: Hex }) => id))
      expect(body.hasMore).toBe(pages.length < whole.length)
      cursor = body.nextCursor === null ? null : `&cursor=${body.nextCursor}`
    }
    expect(pages).toEqual(whole)
  })

  test('refuses a cursor of another sort', async () => {
    const cursor = encodeURIComponent(new Date(Date.UTC(2100)).toISOString())
    expect(await listIds(`&sort=newest&cursor=${cursor}`)).toEqual(await listIds())
    for (const sort of ['reward_desc', 'reward_asc', 'deadline_asc']) {
      const answer = await environment.get(`/tasks?sort=${sort}&cursor=${cursor}`)
      expectRefusal(answer, 400, 'unclassified')
      expect(answer.body.service.detail).toBe('cursor_of_other_sort')
    }
  })

  test('accepts as cursor a time at which no task was created', async () => {
    const { body } = await environment.get(`/tasks/${limerick}`)
    const justAfter = new Date(Date.parse(body.createdAt) + 1).toISOString()
    expect(await listIds(`&cursor=${encodeURIComponent(justAfter)}`)).toEqual([limerick, sonnet, haiku])
    expect(await listIds(`&cursor=${encodeURIComponent(body.createdAt)}`)).toEqual([sonnet, haiku])
  })

  test('names the refused field', async () => {
    for (const query of ['limit=0', 'status=accepted', 'minReward=1.5', 'worker=alice', 'cursor=yesterday']) {
      const { body } = await environment.get(`/tasks?${query}`)
      expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([query.split('=')[0]])
    }
  })

  test('shows each task as in its detail', async () => {
    const { body } = await environment.get(`/tasks?requester=${requester.address}`)
    for (const task of body.tasks) {
      expect((await environment.get(`/tasks/${task.id}`)).body).toMatchObject(task)
    }
  })

  test('has consistent filters: the union over phases, the union over statuses and the whole list are equal', async () => {
    const phases = ['active', 'in_review', 'awaiting_settlement', 'resolved']
    const statuses = [
      'open',
      'claimed',
      'worker_selected',
      'pending_approval',
      'review',
      'appealing',
      'disputed',
      'completed',
      'expired',
      'cancelled',
    ]
    const all = (await listIds()).sort()
    const unionOf = async (name: string, values: string[]) =>
      (await Promise.all(values.map((value) => listIds(`&${name}=${value}`)))).flat().sort()
    expect(await unionOf('phase', phases)).toEqual(all)
    expect(await unionOf('status', statuses)).toEqual(all)
  })

  test('returns 20 tasks by default, at most 100', async () => {
    const [{ body: few }, { body: many }] = [await environment.get('/tasks'), await environment.get('/tasks?limit=100')]
    expect(few.tasks).toEqual(many.tasks.slice(0, 20))
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=two',
    'limit=1.5',
    'cursor=yesterday',
    'status=accepted',
    'phase=done',
    'mode=raffle',
    'auctionType=swiss',
    'requesterActorType=robot',
    'minReward=1.5',
    'maxReward=-1',
    'deadlineHours=0',
    'deadlineHours=0.5',
    'requester=0x12',
    'worker=alice',
    'sort=oldest',
    'q=',
    'sort=relevance',
    `q=${'a'.repeat(201)}`,
  ])('refuses ?%s', async (query) => {
    expectRefusal(await environment.get(`/tasks?${query}`), 400, 'unclassified')
  })
})
