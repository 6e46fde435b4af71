import { type Hex, toFunctionSelector } from 'viem'
import * as abis from '../../protocol/abi.ts'
import { operations } from '../../protocol/operations.ts'
import { ownOperations } from '../../protocol/own-operations.ts'

/** Every call of the service by its name in the API, with function and selector. */
export function listOperationSelectors(): { operation: string; function: string; selector: Hex }[] {
  const selectors = new Map(
    Object.values(abis).flatMap((abi) => abi.map((item) => [item.name, toFunctionSelector(item)] as const)),
  )
  return Object.values({ ...operations, ...ownOperations }).map(({ name, functionName }) => {
    const selector = selectors.get(functionName)
    if (selector === undefined) throw new Error(`no ABI declares ${functionName}`)
    return { operation: name, function: functionName, selector }
  })
}
