import fc from 'fast-check'
import { type Address, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { admit } from '../../../api/domain/actions/admit.ts'
import type { UpdateArgs } from '../../../api/domain/actions/update.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { byDepth } from '../../support/depth.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import { encodeCall, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { makeOpenTasks } from './open-tasks.ts'
import { succeeds } from './succeeds.ts'
import { wallets } from './wallets.ts'

const SEED = 8195
const RUNS = byDepth(500, 2_000)
const TEN_YEARS = 315_360_000n
const TOO_MUCH = 2n ** 72n

interface Update {
  task: TaskSnapshot
  actor: Address
  now: bigint
  args: UpdateArgs
}

let chain: MarketChain
let tasks: TaskSnapshot[]

beforeAll(async () => {
  chain = await openMarketChain()
  tasks = await makeOpenTasks(chain)
})

afterAll(async () => {
  await chain?.close()
})

/** `auction/dutch`, or the mode alone. */
const kindOf = ({ mode, auctionType }: TaskSnapshot) => (auctionType === null ? mode : `${mode}/${auctionType}`)

const kinds = [
  'auction/dutch',
  'auction/english',
  'auction/reverse_dutch',
  'auction/reverse_english',
  'benchmark',
  'bounty',
  'claim',
  'pitch',
]

test('given open tasks of every kind, when rules and contract evaluate updates, then they agree', async () => {
  const answers = await compareUpdates(tasks)
  const admitted = [...answers].filter((answer) => answer.endsWith(' admitted'))
  expect(admitted.toSorted()).toEqual(kinds.map((kind) => `${kind} admitted`).toSorted())
  const failures = new Set([...answers].map((answer) => answer.split(' ')[1]))
  expect([...failures].toSorted()).toEqual(
    [
      'admitted',
      'deadline_after_expiry',
      'invalid_deadline',
      'invalid_expiry',
      'invalid_price',
      'invalid_reward',
      'nothing_to_update',
      'not_requester',
      'terms_locked',
      'wrong_mode',
      'wrong_state',
    ].toSorted(),
  )
})

test('given a paused market, when both evaluate updates, then they agree, and no reward is raised', async () => {
  await chain.send({
    from: devAccount('owner').account.address,
    to: chain.deployment.market,
    data: encodeCall(taskMarketAbi, 'pause', []),
  })
  await chain.mine()
  const answers = await compareUpdates(tasks.map((task) => ({ ...task, entriesPaused: true })))
  expect([...answers].filter((answer) => answer.endsWith(' market_paused'))).toHaveLength(kinds.length)
})

/**
 * Evaluates updates of every task by rules and by contract; returns the agreed answers: `<kind> admitted` or `<kind>
 * <failure>`.
 */
async function compareUpdates(tasks: readonly TaskSnapshot[]): Promise<Set<string>> {
  const answers = new Set<string>()
  await fc.assert(
    fc.asyncProperty(anyUpdate(tasks), async (update) => {
      const refusal = admit('update', update.task, update)
      const succeeded = await succeeds(chain, { ...update, data: callOf(update) })
      expect({ succeeded, refusal }).toEqual({ succeeded: refusal === null, refusal })
      answers.add(`${kindOf(update.task)} ${refusal?.failure ?? 'admitted'}`)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  return answers
}

/** New terms at the bounds of the current ones, requested at the bounds of a task's times. */
function anyUpdate(tasks: readonly TaskSnapshot[]): fc.Arbitrary<Update> {
  return fc.constantFrom(...tasks).chain((task) => {
    const ends = [task.expiryTime, task.pitchDeadline ?? task.expiryTime, task.bidDeadline ?? task.expiryTime]
    const moments = around([...ends, task.createdAt + 1000n])
    return fc.constantFrom(...moments).chain((now) => {
      const deadline = fc.constantFrom(...around(ends), ...around([now, now + TEN_YEARS]))
      const amounts = [...around([task.reward, task.clockPrice ?? 1000n, 2n * task.reward]), 999n, 1000n]
      const reward = fc.constantFrom(...amounts, TOO_MUCH)
      const price = fc.constantFrom(...amounts, 1n, TOO_MUCH)
      return fc.record({
        task: fc.constant(task),
        actor: fc.oneof({ weight: 30, arbitrary: fc.constant(task.requester) }, fc.constantFrom(...wallets)),
        now: fc.constant(now),
        args: fc.record({
          reward: sometimes(0.4, reward),
          expiryTime: sometimes(0.4, deadline),
          pitchDeadline: sometimes(task.mode === 'pitch' ? 0.5 : 0.03, deadline),
          bidDeadline: sometimes(task.mode === 'auction' ? 0.5 : 0.03, deadline),
          auctionFloorPrice: sometimes(shareOf('dutch', task), price),
          auctionStartPrice: sometimes(shareOf('reverse_dutch', task), price),
          textsChange: fc.boolean(),
        }),
      })
    })
  })
}

/** Seldom without a clock price; not if the contract's price has the other name. */
function shareOf(auctionType: 'dutch' | 'reverse_dutch', task: TaskSnapshot): number {
  if (task.auctionType === auctionType) return 0.5
  return task.clockPrice === null ? 0.03 : 0
}

function around(values: readonly bigint[]): bigint[] {
  return values.flatMap((value) => [value - 1n, value, value + 1n])
}

function sometimes<T>(share: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  const given = Math.round(share * 100)
  return fc.oneof({ weight: given, arbitrary }, { weight: 100 - given, arbitrary: fc.constant(undefined) })
}

/** The service's call for it; the contract does not change fields that are zero. */
function callOf({ task, args }: Update) {
  const terms = {
    taskId: task.id,
    reward: args.reward ?? 0n,
    expiryTime: Number(args.expiryTime ?? 0n),
    pitchDeadline: Number(args.pitchDeadline ?? 0n),
    bidDeadline: Number(args.bidDeadline ?? 0n),
    clockPrice: args.auctionFloorPrice ?? args.auctionStartPrice ?? 0n,
    contentHash: args.textsChange ? (`0x${'7e'.repeat(32)}` as const) : zeroHash,
  }
  return encodeMarketCall(chain.deployment.market, 'updateTask', [terms]).data
}
