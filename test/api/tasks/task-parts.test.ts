import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { isDeep } from '../../support/depth.ts'
import { insertRow, START } from '../../support/rows/insert-row.ts'
import { insertMarketConfig } from '../../support/scripted-books.ts'
import { reportPlans } from '../db/report-plans.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()
const alice = anActor()
const bob = anActor()
const invited = anActor()
const callers: Record<string, Actor | null> = { requester, alice, invited, stranger: anActor(), anonymous: null }

/** An anonymous caller and one of the others, another one for the next case. In the deep tests all callers. */
function callersOf(place: number) {
  return Object.entries(callers).filter(([, caller], index) => isDeep || caller === null || index === place % 4)
}

/** Parts that a route below the task answers alone. */
const lists = ['submissions', 'pitches', 'bids', 'proofs', 'claim', 'feedbacks'] as const

const api = aStartedApi()

type Content = Parameters<TestApi['seed']['task']>[1]

/** A task of each kind with what belongs to it; returns its id. */
const kinds: Record<string, (content: Content) => Promise<Hex>> = {
  benchmark: async (content) => {
    const { id } = await aTask({ mode: 'benchmark' }, content)
    for (const { address } of [alice, bob]) await api.seed.proof(id, address)
    return id
  },
  pitch: async (content) => {
    const { id } = await aTask({ mode: 'pitch' }, content)
    for (const { address } of [alice, bob]) await api.seed.pitch(id, address)
    return id
  },
  claim: async (content) => {
    const { id } = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address }, content)
    await api.seed.claim(id, alice.address)
    return id
  },
  auction: async (content) => {
    const terms = { mode: 'auction', auctionType: 'reverse_english', bidDeadline: START + 3600n } as const
    const task = await aTask(terms, content)
    for (const { address } of [alice, bob]) await api.seed.bid(task, address, 900n)
    return task.id
  },
  'completed bounty': async (content) => {
    const task = await aTask({ status: 'completed' }, content)
    for (const { address } of [alice, bob]) await api.seed.submission(task.id, address)
    await api.seed.award(task.id, alice.address, { rating: 80 })
    await api.seed.rating(task, alice.address, 80, 'Thanks')
    return task.id
  },
  'empty bounty': async (content) => (await aTask({}, content)).id,
}

async function aTask(row: object, content: Content) {
  return await api.seed.task({ requester: requester.address, ...row }, content, { viewers: [invited.address] })
}

const allContents = ['public', 'unlisted', 'private'].flatMap((taskVisibility, row) =>
  ['public', 'winner_only', 'never'].map((submissionVisibility, column) => ({
    taskVisibility,
    submissionVisibility,
    diagonal: (row + column) % 3,
  })),
)

/** Each visibility once with one of the others, other pairs for the next kind. In the deep tests all pairs. */
function contentsOf(kind: string) {
  const place = Object.keys(kinds).indexOf(kind)
  const contents = allContents.filter(({ diagonal }) => isDeep || diagonal === place % 3)
  return contents.map((content, index) => ({ ...content, asking: callersOf(place + index) }))
}

describe.each(Object.keys(kinds))('The parts of a task (%s)', (kind) => {
  test.each(contentsOf(kind))(
    'that is shown as $taskVisibility and its entries as $submissionVisibility are those of their own routes',
    async ({ taskVisibility, submissionVisibility, asking }) => {
      const content = { taskVisibility, submissionVisibility }
      const taskId = (await kinds[kind]?.(content as Content)) ?? expect.fail('no such kind')
      for (const [name, caller] of asking) {
        const headers = caller === null ? {} : await readHeadersOf(caller)
        const { body } = await api.get(`/api/tasks/${taskId}?include=${lists.join()}`, headers)
        for (const part of lists) {
          const alone = await api.get(`/api/tasks/${taskId}/${part}`, headers)
          if (body === null) expect([name, part, alone.status]).toEqual([name, part, 404])
          else expect([name, part, body.parts[part]]).toEqual([name, part, alone.body])
        }
      }
    },
  )
})

test('The whole of a task and its parts takes one statement about who may see it', async () => {
  const taskId = (await kinds['completed bounty']?.({})) ?? expect.fail('no such kind')
  const { sql, plansOf } = await reportPlans(api.deps.config.DATABASE_URL)
  const app = createApp({ ...api.deps, sql })
  const plans = await plansOf(async () => app.request(`/api/tasks/${taskId}?include=${lists.join()}`))
  await sql.end()
  expect(plans.filter(({ text }) => text.includes('awarded_workers'))).toHaveLength(1)
})

test('A part that is not named is not in the answer; a name that is no part is refused', async () => {
  const taskId = (await kinds.claim?.({})) ?? expect.fail('no such kind')
  expect((await api.get(`/api/tasks/${taskId}`)).body).not.toHaveProperty('parts')
  const { body } = await api.get(`/api/tasks/${taskId}?include=claim&include=bids,`)
  expect(body.parts).toEqual({ claim: expect.objectContaining({ taskId, status: 'active' }), bids: [] })
  const refused = await api.get(`/api/tasks/${taskId}?include=claim,secrets`)
  expect([refused.status, refused.body.issues]).toEqual([400, [expect.objectContaining({ path: 'include.1' })]])
})

test('The record of the requester is that of its own route', async () => {
  const { id } = await aTask({}, {})
  const { body } = await api.get(`/api/tasks/${id}?include=requesterStats`)
  expect(body.parts.requesterStats).toEqual((await api.get(`/api/requesters/${requester.address}/stats`)).body)
})

test('The movements are those of the ledger, without a comparison of the books', async () => {
  await insertMarketConfig(api)
  const { id } = await aTask({}, {})
  await insertRow(api.sql, 'taskEvent', {
    id: `${id}:0`,
    taskId: id,
    ordinal: 0,
    name: 'TaskCreated',
    subject: requester.address,
    statusAfter: 'open',
    amount: 5_000_000n,
    args: {},
    blockNumber: 7n,
    blockTimestamp: START,
    transactionHash: `0x${'ab'.repeat(32)}`,
    transactionIndex: 0,
    logIndex: 3,
  })
  const { body } = await api.get(`/api/tasks/${id}?include=movements`)
  expect(body.parts.movements).toEqual([
    expect.objectContaining({ kind: 'funded', block: 7, logIndex: 3, amount: '5000000', to: `escrow:${id}` }),
  ])
})

test('A list of more than a hundred rows says where it goes on', async () => {
  const { id } = await aTask({ mode: 'pitch' }, {})
  for (let row = 0; row < 101; row += 1) await api.seed.pitch(id, alice.address)
  const { headers, body } = await api.get(`/api/tasks/${id}?include=pitches`)
  expect(body.parts.pitches).toHaveLength(100)
  const [, next = '', title] =
    /^<http:\/\/127\.0\.0\.1:3000(.*)>; rel="next"; title="(.*)"$/.exec(headers.get('Link') ?? '') ?? []
  expect(title).toBe('pitches')
  expect((await api.get(next)).body).toHaveLength(1)
})
