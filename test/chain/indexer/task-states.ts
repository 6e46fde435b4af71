import type { Hex, ReadContractReturnType } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type AuctionType, type TaskMode, toAuctionType, toTaskMode } from '../../../protocol/rules/selectors.ts'
import { type TaskStatus, toTaskStatus } from '../../../protocol/rules/task-status.ts'
import type { MarketChain } from './market-chain.ts'

export type TaskView = ReadContractReturnType<typeof taskMarketAbi, 'getTask'>
export type EvaluationView = ReadContractReturnType<typeof taskMarketAbi, 'evaluationOf'>

/** A task in the contract's views, from which a valid next call is chosen. */
export interface TaskState {
  id: Hex
  mode: TaskMode | 'unknown'
  auctionType: AuctionType | 'unknown' | null
  status: TaskStatus
  view: TaskView
  evaluation: EvaluationView
}

/** The views of all these tasks, in their order. */
export async function readTaskStates(chain: MarketChain, ids: readonly Hex[]): Promise<TaskState[]> {
  const [views, evaluations] = await Promise.all([readTasks(chain, ids), readEvaluations(chain, ids)])
  return ids.flatMap((id, index) => {
    const [view, evaluation] = [views[index], evaluations[index]]
    if (view === undefined || evaluation === undefined) return []
    return [
      {
        id,
        mode: toTaskMode(view.mode),
        auctionType: toAuctionType(view.auctionType),
        status: toTaskStatus(view.status),
        view,
        evaluation,
      },
    ]
  })
}

/** `getTask` of each. */
export function readTasks(chain: MarketChain, ids: readonly Hex[]): Promise<TaskView[]> {
  const contract = { abi: taskMarketAbi, address: chain.deployment.market, functionName: 'getTask' } as const
  return chain.client.multicall({
    multicallAddress: chain.deployment.multicall3,
    allowFailure: false,
    contracts: ids.map((id) => ({ ...contract, args: [id] as const })),
  })
}

/** `evaluationOf` of each. */
export function readEvaluations(chain: MarketChain, ids: readonly Hex[]): Promise<EvaluationView[]> {
  const contract = { abi: taskMarketAbi, address: chain.deployment.market, functionName: 'evaluationOf' } as const
  return chain.client.multicall({
    multicallAddress: chain.deployment.multicall3,
    allowFailure: false,
    contracts: ids.map((id) => ({ ...contract, args: [id] as const })),
  })
}
