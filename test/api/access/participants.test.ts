import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/**
 * Interface, "Other rules": on a private task a claim or auction win grants viewing only if this service relayed it; an
 * award always grants it. No wallet here is invited.
 */

const [requester, alice, bob] = [anActor(), anActor(), anActor()]

const api = aStartedApi()

const aTask = async (columns: Record<string, unknown>) =>
  (await api.seed.task({ requester: requester.address, ...columns }, { taskVisibility: 'private' })).id

const sees = async (taskId: Hex, actor = alice) =>
  (await api.get(`/api/tasks/${taskId}`, await readHeadersOf(actor))).body !== null

const aPosition = (transactionHash: Hex) => ({
  blockNumber: 1n,
  blockTimestamp: START,
  transactionHash,
  transactionIndex: 0,
  logIndex: 0,
})

async function recordSelection(taskId: Hex, worker: Address): Promise<Hex> {
  const transactionHash = aHash()
  await api.sql`insert into task_event ${api.sql({
    id: `${taskId}:1`,
    taskId,
    ordinal: 1,
    name: 'TaskWorkerSelected',
    subject: worker,
    statusAfter: 'claimed',
    args: api.sql.json({}),
    ...aPosition(transactionHash),
  })}`
  return transactionHash
}

describe('a claim', () => {
  const claimed = { mode: 'claim', status: 'claimed', worker: alice.address }

  test('given that this service relayed it, then its worker sees the task', async () => {
    const taskId = await aTask(claimed)
    const { transactionHash } = await api.seed.claim(taskId, alice.address)
    expect(await sees(taskId)).toBe(false)
    await api.seed.relayed(alice.address, transactionHash)
    expect(await sees(taskId)).toBe(true)
    expect(await sees(taskId, bob)).toBe(false)
  })

  test('given a direct call in a later round, then the earlier claim opens nothing', async () => {
    const taskId = await aTask({ ...claimed, claimRound: 1 })
    const { transactionHash } = await api.seed.claim(taskId, alice.address, { status: 'forfeited' })
    await api.seed.relayed(alice.address, transactionHash)
    await api.seed.claim(taskId, alice.address, { round: 1 })
    expect(await sees(taskId)).toBe(false)
  })

  test('given that it was forfeited, then its worker does not see the task any more', async () => {
    const taskId = await aTask({ mode: 'claim', status: 'open', claimRound: 1 })
    const { transactionHash } = await api.seed.claim(taskId, alice.address, { status: 'forfeited' })
    await api.seed.relayed(alice.address, transactionHash)
    expect(await sees(taskId)).toBe(false)
  })

  test('given a call that this service relayed for another account in the same transaction, then it opens nothing', async () => {
    const taskId = await aTask(claimed)
    const { transactionHash } = await api.seed.claim(taskId, alice.address)
    await api.seed.relayed(bob.address, transactionHash)
    expect(await sees(taskId)).toBe(false)
  })
})

describe('an auction', () => {
  test.each(['english', 'reverse_english'])(
    'given an %s one won by a relayed bid, then it opens the task; by a direct one, then not',
    async (auctionType) => {
      const taskId = await aTask({ mode: 'auction', auctionType, status: 'claimed', worker: alice.address })
      const { transactionHash } = await api.seed.bid({ id: taskId, bidDeadline: START + 1n }, alice.address, 1n)
      await recordSelection(taskId, alice.address)
      expect(await sees(taskId)).toBe(false)
      await api.seed.relayed(alice.address, transactionHash, 'bids.create')
      expect(await sees(taskId)).toBe(true)
    },
  )

  test('given a bid that has not won, then it opens nothing', async () => {
    const taskId = await aTask({ mode: 'auction', auctionType: 'english' })
    const { transactionHash } = await api.seed.bid({ id: taskId, bidDeadline: START + 1n }, alice.address, 1n)
    await api.seed.relayed(alice.address, transactionHash, 'bids.create')
    expect(await sees(taskId)).toBe(false)
  })

  test.each(['dutch', 'reverse_dutch'])(
    'given a %s one accepted through this service, then it opens the task; directly, then not',
    async (auctionType) => {
      const taskId = await aTask({ mode: 'auction', auctionType, status: 'claimed', worker: alice.address })
      const transactionHash = await recordSelection(taskId, alice.address)
      expect(await sees(taskId)).toBe(false)
      await api.seed.relayed(alice.address, transactionHash, 'bids.accept')
      expect(await sees(taskId)).toBe(true)
    },
  )
})

test('given a selected pitch, then it opens the task: the requester chose it', async () => {
  expect(await sees(await aTask({ mode: 'pitch', status: 'worker_selected', worker: alice.address }))).toBe(true)
})

test('given an award, also of a verdict, then it opens the task, for any selection of its worker', async () => {
  const awarded = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address })
  await api.seed.award(awarded, alice.address)
  expect(await sees(awarded)).toBe(true)
  const evaluated = await aTask({ status: 'appealing' })
  await api.sql`insert into verdict_award ${api.sql({
    id: `${evaluated}:evaluator:${alice.address}`,
    taskId: evaluated,
    decidedBy: 'evaluator',
    worker: alice.address,
    amount: 1n,
    rank: 2,
    awardIndex: 0,
    ...aPosition(aHash()),
  })}`
  expect(await sees(evaluated)).toBe(true)
})

test('given a direct call with an unknown hash, or that of public texts, in a private task, then it opens and lists nothing', async () => {
  const [secret, open] = [
    await aTask({}),
    await api.seed.task({ requester: requester.address }, { submissionVisibility: 'public' }),
  ]
  for (const contentHash of [aHash(), open.contentHash]) {
    await api.sql`update task set content_hash = ${contentHash} where id = ${secret}`
    expect(await sees(secret)).toBe(false)
    expect(await sees(secret, requester)).toBe(true)
    const { tasks } = (await api.get('/api/tasks?limit=100')).body
    expect(tasks.map(({ id }: { id: Hex }) => id)).not.toContain(secret)
    expect((await api.get('/api/tasks/stats')).body.count).toBe(tasks.length)
  }
})

test('given a direct call with public texts in a task with hidden submissions, then it reveals none of them', async () => {
  const open = await api.seed.task({ requester: requester.address })
  const hidden = await api.seed.task({ requester: requester.address }, { submissionVisibility: 'never' })
  await api.seed.submission(hidden.id, alice.address)
  await api.sql`update task set content_hash = ${open.contentHash} where id = ${hidden.id}`
  expect((await api.get(`/api/tasks/${hidden.id}/submissions`)).body).toEqual([])
  expect((await api.get(`/api/tasks/${hidden.id}`)).body.submissionVisibility).toBe('never')
})
