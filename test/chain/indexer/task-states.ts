import type { ContractFunctionArgs, ContractFunctionName, Hex, ReadContractReturnType } from 'viem'
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
  const calls = ids.map((id) => [id] as const)
  const [views, evaluations] = await Promise.all([
    readMarket(chain, 'getTask', calls),
    readMarket(chain, 'evaluationOf', calls),
  ])
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

type MarketView = ContractFunctionName<typeof taskMarketAbi, 'view'>

/** What a view of the market answers to each of these arguments, in their order. */
export function readMarket<Name extends MarketView>(
  { client, deployment }: MarketChain,
  functionName: Name,
  calls: readonly ContractFunctionArgs<typeof taskMarketAbi, 'view', Name>[],
): Promise<ReadContractReturnType<typeof taskMarketAbi, Name>[]> {
  const contracts = calls.map((args) => ({ abi: taskMarketAbi, address: deployment.market, functionName, args }))
  const request = { multicallAddress: deployment.multicall3, allowFailure: false, contracts }
  return client.multicall(request as never) as never
}
