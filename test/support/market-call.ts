import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'

type MarketFunction = ContractFunctionName<typeof taskMarketAbi, 'nonpayable'>

/** Each function with its selector, which is a hash. */
const functions = new Map<MarketFunction, object>()

/** A call of the market as data: where to and what. */
export function encodeMarketCall<Name extends MarketFunction>(
  market: Address,
  functionName: Name,
  args: ContractFunctionArgs<typeof taskMarketAbi, 'nonpayable', Name>,
): { target: Address; data: Hex } {
  const prepared = functions.get(functionName) ?? prepareEncodeFunctionData({ abi: taskMarketAbi, functionName })
  functions.set(functionName, prepared)
  return { target: market, data: encodeFunctionData({ ...prepared, args } as never) }
}
