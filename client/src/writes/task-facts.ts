import type { Address, Hex } from 'viem'
import { BPS, partOf } from '../../../protocol/rules/amounts.ts'
import type { Chain } from '../chain/rpc.ts'
import type { ClientContext } from '../context.ts'
import { taskShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { Refused, type StandingFacts, type TaskFacts } from './write-spec.ts'

interface ReadTask {
  reward: string
  requester?: unknown
  stakeBps?: unknown
  claimRound?: unknown
  pendingActions?: { action?: unknown; request?: { sign?: unknown } }[]
}

/**
 * Reads the facts of a write's task, from the chain if there is a node. Uses the highest reward that the service, the
 * chain or this wallet's records name, so that a low reward from the service cannot evade the limits.
 * @throws Refused when the task cannot be read
 */
export async function readTaskFacts(
  context: Pick<ClientContext, 'chain' | 'url' | 'fetch' | 'identity' | 'timing'>,
  rewardedTask: { taskId: string; ownReward: bigint },
): Promise<TaskFacts> {
  const answer = await readJson(context, `/api/tasks/${rewardedTask.taskId}`, {}, taskShape)
  if (!answer.ok) {
    const message = `The task cannot be read, so it is not known what this write decides: ${answer.message}`
    throw new Refused('task_unreadable', message)
  }
  return await toTaskFacts(context, answer.body as ReadTask, rewardedTask)
}

/**
 * Builds the facts of a task from the service's answer. If there is a node, reads the facts that are on the chain.
 * @throws Refused when the node does not answer
 */
export async function toTaskFacts(
  context: Pick<ClientContext, 'chain'>,
  task: ReadTask,
  { taskId, ownReward }: { taskId: string; ownReward: bigint },
): Promise<TaskFacts> {
  const presentFacts = context.chain === null ? factsOf(task) : await factsOnChain(context.chain, taskId as Hex)
  const rewards = [BigInt(task.reward), ownReward, presentFacts.reward]
  return {
    present: presentFacts,
    mostReward: rewards.reduce((largestReward, reward) => (reward > largestReward ? reward : largestReward)),
    offered: offersOf(task),
  }
}

/** Returns the facts that the service reports. A missing or invalid stake counts as the whole reward. */
function factsOf({ reward, requester, stakeBps, claimRound }: ReadTask): StandingFacts {
  const isBps = Number.isSafeInteger(stakeBps) && Number(stakeBps) >= 0 && Number(stakeBps) <= Number(BPS)
  return {
    reward: BigInt(reward),
    requester: String(requester).toLowerCase() as Address,
    stake: partOf(BigInt(reward), isBps ? Number(stakeBps) : Number(BPS)),
    claimRound: Number.isSafeInteger(claimRound) ? Number(claimRound) : 0,
  }
}

/**
 * Reads the facts of a task from the chain.
 * @throws Refused
 */
async function factsOnChain(chain: Pick<Chain, 'taskOf'>, taskId: Hex): Promise<StandingFacts> {
  try {
    const { requester, reward, stakeBps, round } = await chain.taskOf(taskId)
    return { requester, reward, stake: partOf(reward, stakeBps), claimRound: round }
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
