import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { toTask } from '../../../api/features/tasks/tasks.mapper.ts'
import { findTask } from '../../../api/features/tasks/tasks.queries.ts'
import { loadTaskSnapshot, loadTaskSnapshots } from '../../../api/read-model/task-snapshot.queries.ts'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { netRewardOf } from '../../../protocol/net-reward.ts'
import { byDepth } from '../../support/depth.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import type { Environment } from '../indexer/market-calls.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom } from '../indexer/random.ts'
import type { TaskState } from '../indexer/task-states.ts'
import { allAttempts } from './attempts/all-attempts.ts'
import { edgesOf } from './boundaries.ts'
import { type Comparison, compareRules, listAdmitted, listRefusals, startComparison } from './compare.ts'
import { expectDerived } from './expect-derived.ts'
import { expectQueuesEqual } from './expect-queues.ts'
import { readSnapshots } from './read-snapshots.ts'
import { simulatePayment } from './simulate-payment.ts'
import { createCoverageTargets, describeState, reachableStates, stateOf, takeSeldom } from './task-states.ts'
import { walk } from './walk.ts'
import { wallets } from './wallets.ts'

/** Another sequence, or a longer one: RULES_SEED and RULES_BLOCKS. */
const seed = Number(process.env.RULES_SEED ?? 8196)
const blocks = Number(process.env.RULES_BLOCKS ?? byDepth(76, 600))
/** Number of tasks compared after each block, and of bounds of their windows besides the next second. */
const TASKS_A_BLOCK = 3
const EDGES_A_TASK = byDepth(1, 3)

/** The failures of the rules, without those of rare combinations and those that do not exist on chain. */
const refusals = [
  'active_submissions_exist',
  'already_objected',
  'appeal_window_too_short',
  'awards_exceed_escrow',
  'awards_not_allowed',
  'bid_not_lower',
  'bid_too_high',
  'bids_exist',
  'contest_still_open',
  'deadline_after_expiry',
  'duplicate_rank',
  'own_task',
  'self_rating',
  'duplicate_submission',
  'duplicate_winner',
  'evaluator_assigned',
  'evaluator_decides',
  'fees_too_high',
  'invalid_deadline',
  'invalid_evaluator',
  'invalid_expiry',
  'invalid_price',
  'invalid_rank',
  'invalid_reward',
  'invalid_score',
  'invalid_shares',
  'judge_cannot_enter',
  'market_paused',
  'no_active_submission',
  'no_bids',
  'no_evaluator',
  'no_pitch',
  'no_resolver',
  'no_winners',
  'not_awarded',
  'not_selected_worker',
  'nothing_to_update',
  'price_below_minimum',
  'requester_cannot_judge',
  'not_requester',
  'not_worker',
  'not_evaluator',
  'not_dispute_resolver',
  'terms_changed',
  'terms_locked',
  'too_early',
  'deadline_passed',
  'too_many_winners',
  'worker_rejected',
  'wrong_mode',
  'wrong_state',
  'zero_award',
]

/** Each refusal of `update`, whose arguments have the most bounds. */
const refusalsOfUpdate = [
  'deadline_after_expiry',
  'invalid_deadline',
  'invalid_expiry',
  'invalid_price',
  'invalid_reward',
  'market_paused',
  'not_requester',
  'nothing_to_update',
  'terms_locked',
  'wrong_mode',
  'wrong_state',
]

let chain: MarketChain
/** The environment at the end of the walk. */
let end: Environment

beforeAll(async () => {
  chain = await openMarketChain()
})

afterAll(async () => {
  await chain?.close()
})

test(
  `given tasks in every state, when every account attempts every action, then rules and contract agree: seed ${seed}`,
  async () => {
    const { comparison, states, payments } = await compareAlong(blocks)

    expect(comparison.disagreements.slice(0, 3)).toEqual([])
    // Agreement is only meaningful if both answers occur, in every state and for every action.
    expect([...states.keys()].toSorted()).toEqual(reachableStates.map(describeState).toSorted())
    expect(listAdmitted(comparison)).toEqual(Object.keys(allAttempts).toSorted())
    expect(listRefusals(comparison)).toEqual(expect.arrayContaining(refusals))
    expect(refusalsOfUpdate.filter((failure) => !comparison.agreed.has(`update ${failure}`))).toEqual([])
    expect(payments).toBeGreaterThan(10)
    if (process.env.RULES_SEED !== undefined) console.info(`seed ${seed}: ${comparison.compared} requests compared`)
  },
  120_000 + blocks * 2000,
)

describe('the service on the rows of the last tasks, some of each situation', () => {
  let tasks: TaskState[]
  let database: TestDatabase
  let sql: Database
  let indexer: Indexer
  let snapshots: TaskSnapshot[]

  beforeAll(async () => {
    database = await createTestDatabase()
    const env = { ...process.env, LOCAL_CHAIN: '1' }
    const { url, deploymentFile } = chain
    indexer = await startIndexer({ rpcUrls: [url], databaseUrl: database.url, deploymentFile, env })
    sql = connectDatabase({ url: database.url, max: 2 })
    await migrate(sql)
    tasks = takeSeldom(end.tasks, new Map(), { count: byDepth(48, 120), now: end.now })
    snapshots = await readSnapshots(chain, { tasks, logs: end.logs.market })
  })

  afterAll(async () => {
    await indexer?.stop()
    await sql?.end()
    await database?.drop()
  })

  test('then the snapshots that it reads equal the contract’s views', async () => {
    const loaded = await loadTaskSnapshots(
      sql,
      snapshots.map(({ id }) => id),
    )
    for (const task of snapshots) {
      const unlisted = { ...task, taskVisibility: 'unlisted' }
      expect(loaded.get(task.id)).toEqual({ ...unlisted, entries: new Map() })
      expect(await loadTaskSnapshot(sql, task.id, wallets)).toEqual({ ...unlisted, beingMined: [] })
    }
    expect(new Set(tasks.map(stateOf)).size).toBeGreaterThan(reachableStates.length / 4)
  })

  test('when a task is shown at any time, then its fields that depend on the time agree with the contract, and its net reward with the rule', async () => {
    const random = createRandom(seed)
    for (const [index, state] of tasks.entries()) {
      const row = (await findTask(sql, state.id)) ?? expect.fail(`no row of ${state.id}`)
      const edges = edgesOf(state, end.now)
      for (const now of [end.now + 1, ...(edges.length === 0 ? [] : random.some(edges, byDepth(4, 40)))]) {
        const shown = toTask(row, [], { now: BigInt(now), serviceName: 'service' })
        await expectDerived({ chain, state, logs: end.logs, shown, now })
        expect(shown.netReward).toBe(netRewardOf(snapshots[index] ?? expect.fail('no snapshot'))?.toString() ?? null)
      }
    }
  })

  test('when the action queue of any wallet is listed, then it holds what the contract takes of it', async () => {
    const seen = new Set<string>()
    // Soon, after the windows of an hour, of days, and after a quarter of a year of silence.
    for (const later of [1, 3_700, 400_000, 100 * 86_400]) {
      const now = BigInt(end.now + later)
      for (const entry of await expectQueuesEqual(chain, sql, { tasks: snapshots, logs: end.logs.market, now })) {
        seen.add(entry)
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['requester accept', 'requester rate', 'worker submit', 'worker settle_stale']),
    )
    expect(seen.size).toBeGreaterThan(10)
  })
})

/** The results of a walk. */
interface Walked {
  comparison: Comparison
  /** Number of comparisons of each state. */
  states: Map<string, number>
  /** Number of deliveries that were paid their net reward. */
  payments: number
}

/** Walks the given number of blocks, and after each compares some tasks, those in the least compared situations. */
async function compareAlong(steps: number): Promise<Walked> {
  let payments = 0
  const comparison = startComparison()
  const states = new Map<string, number>()
  const situations = new Map<string, number>()
  const random = createRandom(seed + 1)
  let step = 0
  for await (const present of walk(chain, { random: createRandom(seed), wanted: createCoverageTargets(states) })) {
    const { tasks, logs, now } = present
    end = present
    const chosen = takeSeldom(tasks, situations, { count: TASKS_A_BLOCK, now })
    for (const task of chosen) states.set(stateOf(task), (states.get(stateOf(task)) ?? 0) + 1)
    const snapshots = await readSnapshots(chain, { tasks: chosen, logs: logs.market })
    for (const [index, snapshot] of snapshots.entries()) {
      const task = chosen[index] as TaskState
      const edges = edgesOf(task, now)
      const moments = [now + 1, ...(edges.length === 0 ? [] : random.some(edges, EDGES_A_TASK))]
      for (const moment of new Set(moments)) {
        const subject = { task: snapshot, now: BigInt(moment), random, actors: wallets }
        await compareRules(chain, subject, comparison)
      }
      const payment = await simulatePayment(chain, snapshot, now)
      if (payment === null) continue
      expect({ task: snapshot, netReward: netRewardOf(snapshot) }).toEqual({ task: snapshot, netReward: payment })
      payments += 1
    }
    step += 1
    if (step >= steps) break
  }
  return { comparison, states, payments }
}
