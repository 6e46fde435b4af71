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
    ['status=completed', () => [done]],
    ['phase=active', () => [limerick, sonnet, haiku]],
    ['tags=poem&tags=short', () => [haiku]],
    ['minReward=4000000&maxReward=5000000', () => [done, limerick]],
    ['deadlineHours=2', () => [sonnet]],
    ['q=zymurgy', () => [sonnet]],
    ['sort=reward_desc', () => [sonnet, limerick, done, cancelled, haiku]],
  ])('answers %s', async (query, expected) => {
    expect(await listIds(`&${query}`)).toEqual(expected())
  })

  test('finds the tasks of an awarded worker', async () => {
    expect(await listIds(`&worker=${alice.account.address}`)).toEqual([done])
  })

  test('refuses what is no value of a filter, and names the field', async () => {
    for (const query of ['limit=0', 'status=accepted', 'minReward=1.5', 'worker=alice', 'cursor=yesterday']) {
      const { issues } = expectRefusal(await environment.get(`/tasks?${query}`), 400, 'unclassified')
      expect(issues.map(({ path }: { path: string }) => path)).toEqual([query.split('=')[0]])
    }
  })
})
