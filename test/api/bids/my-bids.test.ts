import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Transaction } from '../../../api/db/client.ts'
import { listLiveBids } from '../../../api/features/bids/bids.queries.ts'
import { myBidSchema } from '../../../api/features/bids/bids.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'

const [requester, bob] = [anActor(), anActor()]
const DEADLINE = START + 1000n

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterEach(() => {
  api.chain.now = START
})
afterAll(() => api.stop())

const anAuction = (columns: Partial<TaskColumns> = {}, texts?: { taskVisibility: 'private' | 'unlisted' }) =>
  api.seed.task(
    { requester: requester.address, mode: 'auction', auctionType: 'english', bidDeadline: DEADLINE, ...columns },
    texts,
  )

const read = async (actor: Actor, query = '') => await api.get(`/api/bids/my${query}`, await readHeadersOf(actor))
const taskIdsOf = async (actor: Actor, query = '') =>
  z
    .array(myBidSchema)
    .parse((await read(actor, query)).body)
    .map(({ taskId }) => taskId)

async function aDevice(actor: Actor, { signs = true } = {}): Promise<{ deviceId: string; apiToken: string }> {
  const signature = await actor.account.signMessage({ message: `service:device-register:${actor.address}` })
  return (await api.post('/api/devices', { walletAddress: actor.address, ...(signs && { signature }) })).body
}

test('given a bidder, then their own price is shown, and of the others what is open', async () => {
  const alice = anActor()
  const english = await anAuction()
  const sealed = await anAuction({ auctionType: 'reverse_english', bidDeadline: DEADLINE + 1n })
  for (const task of [english, sealed]) {
    await api.seed.bid(task, alice.address, 900n)
    await api.seed.bid(task, bob.address, 700n)
  }
  const { status, body, headers } = await read(alice)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('private')
  const isoOf = (time: bigint) => new Date(Number(time) * 1000).toISOString()
  expect(body).toEqual([
    {
      taskId: english.id,
      auctionType: 'english',
      myBidPrice: '900',
      currentLowestBid: '700',
      bidCount: 2,
      bidDeadline: isoOf(DEADLINE),
      taskStatus: 'open',
    },
    {
      taskId: sealed.id,
      auctionType: 'reverse_english',
      myBidPrice: '900',
      currentLowestBid: null,
      bidCount: 2,
      bidDeadline: isoOf(DEADLINE + 1n),
      taskStatus: 'open',
    },
  ])
})

test('given the second of its deadline, or a task that is not open, then a bid is not listed', async () => {
  const alice = anActor()
  const task = await anAuction()
  const claimed = await anAuction({ status: 'claimed' })
  for (const { id, bidDeadline } of [task, claimed]) await api.seed.bid({ id, bidDeadline }, alice.address, 900n)
  for (const [now, seen] of [[DEADLINE - 1n, [task.id]] as const, [DEADLINE, []] as const]) {
    api.chain.now = now
    expect(await taskIdsOf(alice)).toEqual(seen)
  }
})

test('given an anonymous caller, then 401, for every failure of the identity', async () => {
  const alice = anActor()
  const wrong = { ...(await readHeadersOf(bob)), 'X-Service-Caller-Address': alice.address }
  const { deviceId, apiToken } = await aDevice(alice)
  const answers = [
    await api.get('/api/bids/my'),
    await api.get('/api/bids/my', wrong),
    await api.get(`/api/bids/my?deviceId=${deviceId}`),
    await api.get(`/api/bids/my?deviceId=${deviceId}`, { 'X-Service-Api-Token': `${apiToken}0` }),
    await api.get(`/api/bids/my?deviceId=${randomUUID()}`, { 'X-Service-Api-Token': apiToken }),
    // The token belongs into the header: a URL is written to logs.
    await api.get(`/api/bids/my?deviceId=${deviceId}&apiToken=${apiToken}`),
  ]
  for (const { status, body } of answers) expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
})

test('given a device verified by its wallet, then it reads for it; given another or an ended one, then 403', async () => {
  const alice = anActor()
  const task = await anAuction()
  await api.seed.bid(task, alice.address, 900n)
  const asDevice = ({ deviceId, apiToken }: { deviceId: string; apiToken: string }) =>
    api.get(`/api/bids/my?deviceId=${deviceId}`, { 'X-Service-Api-Token': apiToken })
  const device = await aDevice(alice)
  expect((await asDevice(device)).body).toMatchObject([{ taskId: task.id }])
  expect((await asDevice(await aDevice(alice, { signs: false }))).status).toBe(403)
  const headers = { 'X-Service-Api-Token': device.apiToken }
  await api.app.request(`/api/devices/${device.deviceId}`, { method: 'DELETE', headers })
  expect((await asDevice(device)).status).toBe(403)
})

test('given pages of any size, then they make up the same list, with equal deadlines among them', async () => {
  const alice = anActor()
  for (let index = 0n; index < 7n; index++) {
    await api.seed.bid(await anAuction({ bidDeadline: DEADLINE + index / 3n }), alice.address, 900n)
  }
  const all = await taskIdsOf(alice)
  expect(all).toHaveLength(7)
  for (const limit of [1, 2, 3, 7, 8]) {
    const pages: string[] = []
    for (let page = await taskIdsOf(alice, `?limit=${limit}`); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(limit)
      pages.push(...page)
      page = await taskIdsOf(alice, `?limit=${limit}&after=${page.at(-1)}`)
    }
    expect(pages).toEqual(all)
  }
})

test('given private tasks that the bidder must not see any more, then pages leave out no other bid', async () => {
  const alice = anActor()
  const seen: string[] = []
  const isHidden = (index: number) => ![1, 4, 5, 110].includes(index)
  for (let index = 0; index <= 110; index++) {
    const taskVisibility = isHidden(index) ? 'private' : 'unlisted'
    const task = await anAuction({ bidDeadline: DEADLINE + BigInt(index) }, { taskVisibility })
    await api.seed.bid(task, alice.address, 900n)
    if (!isHidden(index)) seen.push(task.id)
  }
  for (const limit of [1, 2, 3, 4]) {
    const pages: string[] = []
    for (let page = await taskIdsOf(alice, `?limit=${limit}`); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(limit)
      pages.push(...page)
      page = await taskIdsOf(alice, `?limit=${limit}&after=${page.at(-1)}`)
    }
    expect(pages).toEqual(seen)
  }
})

/** The same statements, each explained: fragments of a statement do not begin with a verb. */
function explaining(sql: Transaction): Transaction {
  const tag = ([first = '', ...rest]: TemplateStringsArray, ...values: never[]) => {
    const texts = [/^\s*select/.test(first) ? `explain ${first}` : first, ...rest]
    return sql(Object.assign(texts, { raw: texts }), ...values)
  }
  return tag as never
}

test('given any number of other bids of the worker, then the index of deadlines serves the list', async () => {
  const plan = await api.sql.begin(async (tx) => {
    // With few rows a scan would be faster than any index.
    await tx`set local enable_seqscan = off`
    return await listLiveBids(explaining(tx), bob.address, { now: START, limit: 10, after: aHash() })
  })
  expect(JSON.stringify(plan)).toMatch(/Index Scan using bid_worker_bid_deadline_task_id/)
  expect(JSON.stringify(plan)).not.toContain('Sort')
})
