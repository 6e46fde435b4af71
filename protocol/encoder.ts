import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'

/** Names of the state-changing functions of an ABI that take no ether (`nonpayable`). */
export type Writable<A extends Abi> = ContractFunctionName<A, 'nonpayable'>
/** The types of the arguments of the function `Name` in the ABI `A`. */
export type Arguments<A extends Abi, Name extends Writable<A>> = ContractFunctionArgs<A, 'nonpayable', Name>

/**
 * Returns a function that encodes calls of one contract function.
 * Example: `encoderOf(marketAbi, 'cancelTask')(['0x9f..'])` is the call data of `cancelTask(0x9f..)`.
 */
export function encoderOf<A extends Abi, Name extends Writable<A>>(
  abi: A,
  functionName: Name,
): (args: Arguments<A, Name>) => Hex
export function encoderOf(abi: Abi, functionName: string): (args: readonly unknown[]) => Hex {
  // The selector is a hash: it is computed once, at the first call.
  const prepare = () => prepareEncodeFunctionData({ abi, functionName })
  let preparation: ReturnType<typeof prepare> | undefined
  return (args) => {
    preparation ??= prepare()
    return encodeFunctionData({ ...preparation, args })
  }
}
