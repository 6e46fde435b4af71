import type { Address, Hex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { appendEvents } from '../../../api/events/append-events.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { aPosition, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [requester, worker, viewer, stranger] = [anActor(), anActor(), anActor(), anActor()]
const callers = { anonymous: undefined, stranger, worker, viewer, requester }
type Caller = keyof typeof callers
const taskIds: Record<string, Hex> = {}

const api = aStartedApi()
beforeAll(async () => {
  const bidding = { mode: 'auction', auctionType: 'reverse_english', bidDeadline: START + 3_600n } as const
  const open = { description: 'A haiku about zebras', tags: ['haiku', 'poem'] }
  await aTask('open', { taskVisibility: 'public', submissionVisibility: 'public', ...open }, { reward: 9_000_000n })
  await aTask('hidden', { taskVisibility: 'public', submissionVisibility: 'reveal_all' })
  await aTask('ended', { taskVisibility: 'public', submissionVisibility: 'reveal_all' }, { status: 'completed' })
  await aTask('unlisted', { taskVisibility: 'unlisted', submissionVisibility: 'public' })
  await aTask('private', { taskVisibility: 'private', submissionVisibility: 'public' })
  await aTask('auction', { taskVisibility: 'public', submissionVisibility: 'public' }, bidding)
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql({ blockNumber: 1n, blockTimestamp: START, checkpoint: '' })}`
  while ((await appendEvents(api)) === 0);
})

/** A task with the events of its creation, of a delivery and of its end; an auction with a bid. */
async function aTask(name: string, texts: Partial<TaskTexts>, columns: Partial<TaskColumns> = {}) {
  const task = await api.seed.task(
    { requester: requester.address, ...columns },
    texts,
    texts.taskVisibility === 'private' ? { viewers: [viewer.address] } : {},
  )
  taskIds[name] = task.id
  if (columns.mode === 'auction') {
    await anEvent(task.id, 'BidSubmitted', worker.address, { worker: worker.address, price: '7' })
    return
  }
  const { deliverable } = await api.seed.submission(task.id, worker.address)
  await anEvent(task.id, 'TaskSubmitted', worker.address, { worker: worker.address, deliverable })
  await anEvent(task.id, 'TaskCancelled', requester.address, { refund: '5' })
}

let ordinal = 0
async function anEvent(taskId: Hex, name: string, subject: Address, args: Record<string, unknown>) {
  ordinal += 1
  const row = { id: `${taskId}:${ordinal}`, taskId, ordinal, name, subject, statusAfter: 'open', amount: null }
  await api.sql`insert into task_event ${api.sql({ ...row, args: api.sql.json(args as never), ...aPosition() } as never)}`
}

/** Kinds that a caller reads of each task, such as `open: submission.created task.cancelled`. */
async function read(as: Caller, search: string) {
  const wallet = callers[as]
  const { status, body } = await api.get(`/api/events?${search}`, wallet && (await readHeadersOf(wallet)))
  expect(status).toBe(200)
  const nameOf = (id: Hex) => Object.keys(taskIds).find((name) => taskIds[name] === id)
  const kinds: Record<string, string[]> = {}
  for (const { taskId, kind } of body.events) {
    if (kind === 'revealed') continue
    const name = nameOf(taskId) ?? taskId
    kinds[name] = [...(kinds[name] ?? []), kind].sort()
  }
  return kinds
}

const created = 'submission.created'
const ended = 'task.cancelled'
const both = [created, ended]
const publicly = { open: both, hidden: [ended], ended: both }

describe('who reads which entries', () => {
  it.each<[Caller, Record<string, string[]>]>([
    ['anonymous', publicly],
    ['stranger', publicly],
    ['viewer', { ...publicly, private: both }],
    // Their own rows, and those of tasks that are listed.
    ['worker', { ...publicly, hidden: both, unlisted: [created], auction: ['bid.created'] }],
    ['requester', { ...publicly, hidden: both, unlisted: both, private: both }],
  ])('given %s without a filter, then what a list shows them', async (as, expected) => {
    expect(await read(as, '')).toEqual(expected)
  })

  it.each<[string, Caller, string[] | undefined]>([
    ['unlisted', 'anonymous', both],
    ['hidden', 'anonymous', [ended]],
    ['private', 'anonymous', undefined],
    ['private', 'viewer', both],
    ['auction', 'requester', undefined],
    ['auction', 'worker', ['bid.created']],
  ])('given the id of the %s task and %s, then what its pages show them', async (name, as, kinds) => {
    expect((await read(as, `taskId=${taskIds[name]}`))[name]).toEqual(kinds)
  })

  it('given the address of a worker whose delivery is hidden, then the end of its task is found by that worker alone', async () => {
    const search = `kind=${ended}&address=${worker.address}`
    expect(await read('stranger', search)).toEqual({})
    expect(Object.keys(await read('worker', search)).sort()).toEqual(['ended', 'hidden', 'open', 'unlisted'])
  })

  it.each([
    ['mode=auction', []],
    ['mode=bounty&minReward=9000000', ['open']],
    ['tag=haiku&tag=poem', ['open']],
    ['tag=sonnet', []],
    ['q=zebras', ['open']],
    ['q=nothing', []],
  ])('given %s, then entries of the tasks that a list of them has', async (search, names) => {
    expect(Object.keys(await read('anonymous', search))).toEqual(names)
    const { body } = await api.get(`/api/tasks?${search.replaceAll('tag=', 'tags=')}`)
    const listed = body.tasks.map(({ id }: { id: Hex }) => id)
    expect(names.map((name) => taskIds[name]).filter((id) => listed.includes(id))).toHaveLength(names.length)
  })

  it('given a kind twice, then each of its entries comes once', async () => {
    const { body } = await api.get(`/api/events?kind=${ended}&kind=${ended}&limit=500`)
    const { body: once } = await api.get(`/api/events?kind=${ended}&limit=500`)
    expect(once.events.length).toBeGreaterThan(0)
    expect(body.events).toEqual(once.events)
  })

  it('given a kind that there is not, then 400 names the parameter and what it takes', async () => {
    const { status, body } = await api.get('/api/events?kind=nope')
    expect([status, body.issues]).toEqual([
      400,
      [{ path: 'kind', message: 'must be a kind of docs/build/events.md, such as task.created' }],
    ])
  })

  it('given sealed bids whose deadline has passed, then everyone reads them', async () => {
    api.chain.now = START + 3_601n
    expect((await read('anonymous', 'kind=bid.created')).auction).toEqual(['bid.created'])
    const { body } = await api.get('/api/events?kind=bid.created')
    // As the document has them.
    expect(Object.keys(body.events[0].data)).toEqual(['worker', 'price'])
  })
})
