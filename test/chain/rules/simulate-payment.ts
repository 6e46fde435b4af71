import { type Address, type Hex, parseEventLogs, zeroHash } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { partOf } from '../../../protocol/rules/amounts.ts'
import { isContest } from '../../../protocol/rules/selectors.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import type { MarketChain } from '../indexer/market-chain.ts'

interface Step {
  actor: Address
  data: Hex
  time: number
}

/**
 * The payment to a single winner of a task, base units, in blocks that are reverted: the whole reward to the worker who
 * delivered, by the deciding account. Null without a delivery, or if no decision is possible.
 */
export async function simulatePayment(chain: MarketChain, task: TaskSnapshot, now: number): Promise<bigint | null> {
  const steps = stepsOf(task, now)
  if (steps.length === 0) return null
  const { market } = chain.deployment
  const blocks = await chain.client.simulateBlocks({
    blocks: steps.map(({ actor, data, time }) => ({
      calls: [{ account: actor, to: market, data }],
      blockOverrides: { time: BigInt(time) },
    })),
  })
  const logs = blocks.flatMap(({ calls }) =>
    calls.flatMap((call) => {
      if (call.status !== 'success') throw new Error('the settlement reverted', { cause: call.error })
      return call.logs ?? []
    }),
  )
  const [completed] = parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCompleted', logs })
  if (completed === undefined) throw new Error('no worker was paid')
  return completed.args.workerPayment
}

function stepsOf(task: TaskSnapshot, now: number): Step[] {
  const [delivered] = [...task.entries].filter(([, { activeSubmissionCount }]) => activeSubmissionCount > 0)
  if (delivered === undefined) return []
  const [worker, { latestDeliverable }] = delivered
  const isOpenContest = task.status === 'open' && isContest(task.mode)
  if (task.evaluator === null && (isOpenContest || task.status === 'pending_approval')) {
    const { data } = encodeMarketCall(worker, 'acceptSubmission', [task.id, worker, latestDeliverable ?? zeroHash])
    return [{ actor: task.requester, data, time: now + 1 }]
  }
  if (task.evaluator !== null && (isOpenContest || task.status === 'review')) return verdictSteps(task, { worker, now })
  return []
}

/** The evaluator's verdict, and a second after the time to appeal it. */
function verdictSteps(task: TaskSnapshot, { worker, now }: { worker: Address; now: number }): Step[] {
  const { id, evaluator, evaluatorDeadline, expiryTime, evaluationWindow, appealWindow, escrow, evaluatorFeeBps } = task
  const deadline = evaluatorDeadline ?? expiryTime + (evaluationWindow ?? 0n)
  if (evaluator === null || BigInt(now) + 1n >= deadline) return []
  const amount = escrow - partOf(escrow, evaluatorFeeBps ?? 0)
  const evaluate = encodeMarketCall(worker, 'evaluate', [id, 1, 0, 0, zeroHash, [{ worker, amount, rank: 1 }]])
  const finalize = encodeMarketCall(worker, 'finalizeVerdict', [id])
  return [
    { actor: evaluator, data: evaluate.data, time: now + 1 },
    { actor: worker, data: finalize.data, time: now + 2 + Number(appealWindow ?? 0n) },
  ]
}
