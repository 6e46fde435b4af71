import { type Address, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { admit } from '../../../api/domain/actions/admit.ts'
import type { AwardArgs } from '../../../api/domain/actions/verdict-awards.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { verdictPayouts } from '../../../protocol/payouts.ts'
import { toModeSelector } from '../../../protocol/rules/selectors.ts'
import { byDepth } from '../../support/depth.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { readTaskStates } from '../indexer/task-states.ts'
import { aBounty, createTasks, send } from './bounties.ts'
import { readSnapshots } from './read-snapshots.ts'
import { someAwards } from './verdicts.ts'
import { wallets } from './wallets.ts'

/** Admitted verdicts are paid exactly as `verdictPayouts` computes: fee, awards and refund. */

const SEED = 4337
const VERDICTS_A_TASK = byDepth(8, 60)
const FEES_BPS = [0, 1, 777, 5000, 9250]
const contractVerdict = { approve: 1, reject: 2, partial: 3 } as const

let chain: MarketChain
let random: Random
const [requester, evaluator, ...workers] = wallets as [Address, Address, ...Address[]]

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
})

afterAll(async () => {
  await chain?.close()
})

test.each(FEES_BPS)(
  'given an evaluator’s fee of %i basis points, then a verdict pays the computed amounts',
  async (feeBps) => {
    for (const mode of ['bounty', 'claim'] as const) {
      for (const reward of [1000n, 1_234_567n + BigInt(random.below(1_000_000_000))]) {
        const task = await aTask(mode, { reward, feeBps })
        let paid = 0
        while (paid < VERDICTS_A_TASK / 2) {
          const verdict = random.pick(['approve', 'reject', 'partial'] as const)
          const available = reward - (reward * BigInt(feeBps)) / 10_000n
          const awards = someAwards(task, random, { available })
          const args = { verdict, score: 1000, confidence: 1000, awards }
          if (admit('evaluate', task, { actor: evaluator, now: task.createdAt, args }) !== null) continue
          const terms = { base: reward, evaluatorFeeBps: feeBps, platformFeeBps: 750 }
          const amounts = awards.map(({ amount }) => amount)
          const promised = verdictPayouts(verdict, amounts, terms)
          expect(await settle(task, { verdict, awards })).toEqual(promised)
          const sum = promised.awards.reduce((total, { gross }) => total + gross, promised.evaluatorFee)
          expect(sum + promised.returned).toBe(reward)
          paid += 1
        }
      }
    }
  },
)

/** A bounty with a submission of every other wallet, or a claim with a delivery. */
async function aTask(
  mode: 'bounty' | 'claim',
  { reward, feeBps }: { reward: bigint; feeBps: number },
): Promise<TaskSnapshot> {
  const evaluation = { evaluator, resolver: zeroAddress, feeBps, evaluationWindow: 86_400, appealWindow: 300 }
  const terms = { ...aBounty({ reward, duration: 86_400 }), mode: toModeSelector(mode), evaluation }
  const [created] = await createTasks(chain, [{ requester, terms }])
  if (created === undefined) throw new Error('no task')
  const [worker = requester] = workers
  if (mode === 'claim') await send(chain, worker, 'claimTask', [created.id, zeroHash])
  for (const submitter of mode === 'claim' ? [worker] : workers) {
    await send(chain, submitter, 'submitWork', [created.id, random.word()])
  }
  await chain.mine()
  const [task] = await readSnapshots(chain, { tasks: await readTaskStates(chain, [created.id]), logs: [] })
  if (task === undefined) throw new Error('no snapshot')
  return task
}

/** Evaluates and finalizes, in blocks that are reverted; returns the logged payments. */
async function settle(
  { id }: TaskSnapshot,
  { verdict, awards }: { verdict: keyof typeof contractVerdict; awards: readonly AwardArgs[] },
) {
  const { market } = chain.deployment
  const evaluate = encodeMarketCall(market, 'evaluate', [
    ...([id, contractVerdict[verdict], 1000, 1000, zeroHash, awards] as const),
  ])
  const finalize = encodeMarketCall(market, 'finalizeVerdict', [id])
  const { timestamp } = await chain.client.getBlock()
  const blocks = await chain.client.simulateBlocks({
    blocks: [
      { calls: [{ account: evaluator, to: market, data: evaluate.data }], blockOverrides: { time: timestamp + 1n } },
      { calls: [{ account: requester, to: market, data: finalize.data }], blockOverrides: { time: timestamp + 301n } },
    ],
  })
  const logs = blocks.flatMap(({ calls }) =>
    calls.flatMap((call) => {
      if (call.status !== 'success') throw new Error('the verdict reverted', { cause: call.error })
      return call.logs ?? []
    }),
  )
  const [issued] = parseEventLogs({ abi: taskMarketAbi, eventName: 'VerdictIssued', logs })
  const completed = parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCompleted', logs })
  const returned = parseEventLogs({ abi: taskMarketAbi, eventName: 'EscrowReturned', logs })
  const cancelled = parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCancelled', logs })
  return {
    evaluatorFee: issued?.args.fee,
    awards: completed.map(({ args }) => ({
      gross: args.grossAmount,
      platformFee: args.platformFee,
      workerPayment: args.workerPayment,
    })),
    returned: [...returned.map(({ args }) => args.amount), ...cancelled.map(({ args }) => args.refund)].reduce(
      (sum, amount) => sum + amount,
      0n,
    ),
  }
}
