import { expect, test } from 'vitest'
import {
  findPitchFacts,
  listSubmissionFacts,
  loadTaskSnapshot,
  loadTaskSnapshots,
} from '../../../api/read-model/task-snapshot.queries.ts'
import { anActor } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aSnapshot } from '../../support/task-snapshots.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [requester, alice, bob, carol] = [anActor().address, anActor().address, anActor().address, anActor().address]

const api = aStartedApi()

test('given a bounty without an entry, then its snapshot is its terms', async () => {
  const task = await api.seed.task({ requester, reward: 2n ** 62n })
  const { id, contentHash, createdAtMs, expiryTime } = task
  const terms = { id, requester, reward: 2n ** 62n, escrow: 2n ** 62n, contentHash }
  expect(await loadTaskSnapshot(api.sql, id, [alice])).toEqual({
    ...aSnapshot({ ...terms, createdAt: createdAtMs / 1000n, expiryTime }),
    beingMined: [],
  })
})

test('given an evaluator, then its terms are there until it lets its time pass', async () => {
  const [evaluated, timedOut] = [await api.seed.task({ requester }), await api.seed.task({ requester })]
  await api.seed.evaluation(evaluated.id, carol)
  await api.seed.evaluation(timedOut.id, carol, { timedOutAt: START })
  const terms = { evaluator: carol, evaluatorFeeBps: 1000, evaluationWindow: 7200n, appealWindow: 3600n }
  expect(await loadTaskSnapshot(api.sql, evaluated.id)).toMatchObject(terms)
  const none = { evaluator: null, evaluatorFeeBps: null, evaluationWindow: null, appealWindow: null }
  expect(await loadTaskSnapshot(api.sql, timedOut.id)).toMatchObject(none)
})

test('given an unknown id, then there is no snapshot', async () => {
  expect(await loadTaskSnapshot(api.sql, aHash())).toBeNull()
  expect(await loadTaskSnapshots(api.sql, [])).toEqual(new Map())
})

test('given submissions, then it tells what became of those of the workers asked for, and which is the latest', async () => {
  const task = await api.seed.task({ requester })
  await api.seed.submission(task.id, alice)
  const latest = await api.seed.submission(task.id, alice)
  const rejected = await api.seed.submission(task.id, bob, { rejectedAt: START })
  await api.seed.submission(task.id, carol)

  const snapshot = await loadTaskSnapshot(api.sql, task.id, [alice, bob])

  expect(snapshot).toMatchObject({ submissionCount: 4, activeSubmissionCount: 3, soleActiveWorker: null })
  expect(snapshot?.entries).toEqual(
    new Map([
      [
        alice,
        {
          submissionCount: 2,
          activeSubmissionCount: 2,
          rejected: false,
          pitched: false,
          bid: null,
          latestDeliverable: latest.deliverable,
        },
      ],
      [
        bob,
        {
          submissionCount: 1,
          activeSubmissionCount: 0,
          rejected: true,
          pitched: false,
          bid: null,
          latestDeliverable: rejected.deliverable,
        },
      ],
    ]),
  )
})

test('given one worker whose submissions stand, however many, then it is named', async () => {
  const task = await api.seed.task({ requester })
  await api.seed.submission(task.id, bob, { rejectedAt: START })
  await api.seed.submission(task.id, alice)
  await api.seed.submission(task.id, alice)
  expect(await loadTaskSnapshot(api.sql, task.id)).toMatchObject({ soleActiveWorker: alice })
})

test('given awards, then they come by rank with whether they are rated', async () => {
  const task = await api.seed.task({ requester })
  for (const worker of [alice, bob, carol]) await api.seed.submission(task.id, worker)
  await api.seed.award(task.id, alice, { rank: 2 })
  await api.seed.award(task.id, bob, { rank: 3, rating: 0 })
  await api.seed.award(task.id, carol, { rank: 1 })
  expect(await loadTaskSnapshot(api.sql, task.id)).toMatchObject({
    status: 'completed',
    awards: [
      { worker: carol, rated: false },
      { worker: alice, rated: false },
      { worker: bob, rated: true },
    ],
  })
})

test('given several ids, then one statement finds each that exists', async () => {
  const tasks = [await api.seed.task({ requester }), await api.seed.task({ requester, mode: 'unknown' })]
  const found = await loadTaskSnapshots(api.sql, [...tasks.map(({ id }) => id), aHash()])
  expect([...found.keys()].toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
  expect(found.get(tasks[1]?.id ?? '0x')?.mode).toBe('unknown')
})

test('given submission ids, then it tells whose they are and whether they stand', async () => {
  const task = await api.seed.task({ requester })
  const standing = await api.seed.submission(task.id, alice)
  const rejected = await api.seed.submission(task.id, bob, { rejectedAt: START })
  const facts = await listSubmissionFacts(api.sql, [standing.id, rejected.id, aHash()])
  expect(facts).toEqual(
    new Map([
      [
        standing.id,
        { id: standing.id, taskId: task.id, worker: alice, deliverable: standing.deliverable, rejected: false },
      ],
      [
        rejected.id,
        { id: rejected.id, taskId: task.id, worker: bob, deliverable: rejected.deliverable, rejected: true },
      ],
    ]),
  )
})

test('given pitches, then it names the only worker who pitched, and its only pitch', async () => {
  const task = await api.seed.task({ requester, mode: 'pitch' })
  const solePitch = async () => (await loadTaskSnapshot(api.sql, task.id, [alice]))?.solePitch
  expect(await solePitch()).toBeNull()
  const { id } = await api.seed.pitch(task.id, alice)
  expect(await solePitch()).toEqual({ worker: alice, id })
  await api.seed.pitch(task.id, alice)
  expect(await solePitch()).toEqual({ worker: alice, id: null })
  await api.seed.pitch(task.id, bob)
  expect(await solePitch()).toBeNull()
  const snapshot = await loadTaskSnapshot(api.sql, task.id, [alice, carol])
  expect(snapshot).toMatchObject({
    pitchCount: 3,
    entries: new Map([[alice, expect.objectContaining({ pitched: true })]]),
  })
  expect(await findPitchFacts(api.sql, id)).toEqual({ id, taskId: task.id, worker: alice })
  expect(await findPitchFacts(api.sql, aHash())).toBeNull()
})
