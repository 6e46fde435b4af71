import { type Address, type ContractFunctionArgs, type ContractFunctionName, encodeFunctionData, type Hex } from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'

type MarketFunction = ContractFunctionName<typeof taskMarketAbi, 'nonpayable'>

/** A call of the market as data: where to and what. */
export function encodeMarketCall<Name extends MarketFunction>(
  market: Address,
  functionName: Name,
  args: ContractFunctionArgs<typeof taskMarketAbi, 'nonpayable', Name>,
): { target: Address; data: Hex } {
  return { target: market, data: encodeFunctionData({ abi: taskMarketAbi, functionName, args } as never) }
}
