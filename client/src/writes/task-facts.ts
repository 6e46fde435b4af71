import type { Hex } from 'viem'
import { taskShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import type { Run } from './run.ts'
import { Refused, type TaskFacts } from './write-spec.ts'

const MOST_BPS = 10_000

function isBps(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_BPS
}

interface ReadTask {
  reward: string
  requester?: unknown
  stakeBps?: unknown
  claimRound?: unknown
  pendingActions?: { action?: unknown; request?: { sign?: unknown } }[]
}

/**
 * The task of a write. A service could name a low reward to get a decision past the limits: the highest of what it, the
 * chain and this wallet's own records say counts.
 * @throws Refused when the task cannot be read
 */
export async function readTaskFacts(
  { context }: Pick<Run, 'context'>,
  { taskId, ownReward }: { taskId: string; ownReward: bigint },
): Promise<TaskFacts> {
  const answer = await readJson(context, `/api/tasks/${taskId}`, {}, taskShape)
  if (!answer.ok) {
    const message = `The task cannot be read, so it is not known what this write decides: ${answer.message}`
    throw new Refused('task_unreadable', message)
  }
  const task = answer.body as ReadTask
  const onChain = context.chain === null ? null : await rewardOnChain(context.chain, taskId as Hex)
  const rewards = [BigInt(task.reward), ownReward, onChain ?? 0n]
  return {
    reward: rewards.reduce((most, reward) => (reward > most ? reward : most)),
    currentReward: onChain ?? BigInt(task.reward),
    stakeBps: isBps(task.stakeBps) ? task.stakeBps : MOST_BPS,
    claimRound: Number.isSafeInteger(task.claimRound) ? Number(task.claimRound) : 0,
    isOwn: String(task.requester).toLowerCase() === context.account.address.toLowerCase(),
    offered: offersOf(task),
  }
}

async function rewardOnChain(chain: { rewardOf(taskId: Hex): Promise<bigint> }, taskId: Hex): Promise<bigint> {
  try {
    return await chain.rewardOf(taskId)
  } catch {
    throw new Refused(
      'task_unreadable',
      'The node does not say what the task is worth, so it is not known what this write decides.',
    )
  }
}

function offersOf({ pendingActions }: ReadTask): Record<string, string | null> {
  const offers: Record<string, string | null> = {}
  for (const { action, request } of Array.isArray(pendingActions) ? pendingActions : []) {
    if (typeof action === 'string' && typeof request?.sign === 'string') offers[action] = request.sign
  }
  return offers
}
