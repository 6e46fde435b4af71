import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { startLoops } from '../../../api/start-loops.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { createLogRows, timeOf } from './log-rows.ts'

const callers = {
  anonymous: undefined,
  requester: anActor(),
  worker: anActor(),
  other: anActor(),
  viewer: anActor(),
  evaluator: anActor(),
}
const { requester, worker, other, viewer, evaluator } = callers
/** When the bids of the auction are opened: at block 50. */
const DEADLINE = timeOf(50)

const api = aStartedApi()

const aTask = (columns: Partial<TaskColumns>, texts = {}, access = {}) =>
  api.seed.task({ requester: requester.address, createdAt: START, ...columns }, texts, access)

/** Tasks whose entries become visible in time, and what can happen to each. */
async function createMarket() {
  const secret = { taskVisibility: 'private', submissionVisibility: 'reveal_all' } as const
  const auction = { mode: 'auction', auctionType: 'reverse_english', bidDeadline: DEADLINE } as const
  const tasks = {
    all: (await aTask({}, { submissionVisibility: 'reveal_all' })).id,
    winners: (await aTask({}, { submissionVisibility: 'winner_only' })).id,
    never: (await aTask({}, { submissionVisibility: 'never' })).id,
    auction: (await aTask(auction)).id,
    private: (await aTask({}, secret)).id,
  }
  let block = 1
  const event = async (taskId: Hex, name: string, subject: Address, args: object = {}) => {
    block += 1
    const log = createLogRows(api, { taskId, subject, ordinal: block * 10 })
    await log.mine(block, 1, name, args)
  }
  const deliver = (taskId: Hex) => (by: Actor) => event(taskId, 'TaskSubmitted', by.address)
  const complete = async (taskId: Hex) => {
    await api.sql`update task set status = 'completed' where id = ${taskId}`
    await api.seed.award(taskId, worker.address)
    await event(taskId, 'TaskCompleted', worker.address, { rank: 1 })
  }
  const acts: Record<string, () => Promise<unknown>> = {}
  for (const [name, taskId] of Object.entries(tasks)) {
    if (name === 'auction') continue
    acts[`${name}: worker delivers`] = () => deliver(taskId)(worker)
    acts[`${name}: other delivers`] = () => deliver(taskId)(other)
    acts[`${name}: completed`] = () => complete(taskId)
    acts[`${name}: evaluator`] = async () => {
      await api.sql`update task set evaluator = ${evaluator.address} where id = ${taskId}`
      const args = { evaluator: evaluator.address, resolver: `0x${'0'.repeat(40)}`, feeBps: 100 }
      await event(taskId, 'EvaluatorAssigned', evaluator.address, args)
    }
  }
  acts['private: invitation'] = () => api.sql`
    insert into service.task_viewers (requester, content_hash, viewer, added_by)
    select requester, created_content_hash, ${viewer.address}, requester from task where id = ${tasks.private}`
  acts['auction: bid'] = () => event(tasks.auction, 'BidSubmitted', worker.address, { price: '7' })
  acts['auction: deadline'] = async () => {
    block = Math.max(block, 60)
  }
  return { acts, head: () => block }
}

/** Ids of entries that a caller knows of, by what pages show and what they reveal. */
async function readIds(as: Actor | undefined, after: string | null) {
  const shown: string[] = []
  const revealed: string[] = []
  let place = after
  for (;;) {
    const search = place === null ? '' : `&after=${place}`
    const { body } = await api.get(`/api/events?limit=500${search}`, as && (await readHeadersOf(as)))
    for (const { id, kind, data } of body.events) {
      if (kind === 'revealed') revealed.push(...data.eventIds)
      else shown.push(id)
    }
    if (body.next === place) return { shown, revealed, place }
    place = body.next
  }
}

describe('entries that become visible later', () => {
  it(
    'given anything that reveals, in any order, then a caller who reads along knows of every entry that a new reader is shown',
    async () => {
      const log = createLogRows(api, { taskId: aHash(), subject: worker.address })
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.nat(1_000)), async (numbers) => {
          await log.clear()
          await api.sql`truncate service.event_reveals`
          const { acts, head } = await createMarket()
          await log.setHead(head())
          api.chain.now = timeOf(head())
          await log.append()
          const known = new Map<string, Set<string>>()
          const places = new Map<string, string | null>()
          const readAll = async () => {
            for (const [name, actor] of Object.entries(callers)) {
              const { shown, revealed, place } = await readIds(actor, places.get(name) ?? null)
              known.set(name, new Set([...(known.get(name) ?? []), ...shown, ...revealed]))
              places.set(name, place)
            }
          }
          const left = Object.entries(acts)
          while (left.length > 0) {
            const [choice = 0] = [...numbers.take(1)]
            const [[, act] = ['', async () => {}]] = left.splice(choice % left.length, 1)
            await act()
            await log.setHead(head())
            api.chain.now = timeOf(head())
            await log.append()
            if (choice % 2 === 0) await readAll()
          }
          await readAll()
          for (const [name, actor] of Object.entries(callers)) {
            const { shown } = await readIds(actor, null)
            expect([name, shown.filter((id) => !known.get(name)?.has(id))]).toEqual([name, []])
          }
        }),
        { numRuns: byDepth(1, 200) },
      )
    },
    byDepth(60_000, 1_200_000),
  )

  it('given an invitation and no block after it, then the loop of the log is woken', async () => {
    const log = createLogRows(api, { taskId: aHash(), subject: worker.address })
    await log.clear()
    const { acts, head } = await createMarket()
    await log.setHead(head())
    const chainGate = { isOpen: () => false, tryOpen: async () => {} }
    const loops = await startLoops({ ...api.deps, chainGate, end: () => {} }, [])
    try {
      const countPlans = async () => (await api.sql`select from service.event_reveals`).length
      await acts['private: worker delivers']?.()
      await log.setHead(head())
      await api.sql.notify('market_head', '')
      await expect.poll(async () => (await api.sql`select from service.events`).length).toBeGreaterThan(0)
      await acts['private: invitation']?.()
      await expect.poll(countPlans, { timeout: 9_000 }).toBe(0)
    } finally {
      await loops.stop()
    }
  })

  it('given a reveal to one wallet, then no other caller learns of it', async () => {
    const log = createLogRows(api, { taskId: aHash(), subject: worker.address })
    await log.clear()
    const { acts, head } = await createMarket()
    for (const name of ['private: worker delivers', 'private: invitation']) {
      await acts[name]?.()
      await log.append(head())
    }
    const told = Object.entries(callers).map(async ([name, actor]) => [
      name,
      (await readIds(actor, null)).revealed.length,
    ])
    expect(Object.fromEntries(await Promise.all(told))).toEqual({
      anonymous: 0,
      requester: 0,
      worker: 0,
      other: 0,
      viewer: 1,
      evaluator: 0,
    })
  })
})
