import { type Address, decodeFunctionData, type Hex } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'

/** An authorized transfer of USDC with its signature. */
interface SignedTransfer {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

/** The transfer that this calldata makes, addresses in lower case. @throws on other calldata */
export function decodeTransfer(data: Hex): SignedTransfer {
  const { functionName, args } = decodeFunctionData({ abi: usdcAbi, data })
  if (functionName !== 'transferWithAuthorization' || args.length !== 7)
    throw new Error(`USDC’s ${functionName} is no authorized transfer`)
  const [from, to, value, validAfter, validBefore, nonce, signature] = args
  const [owner, receiver] = [from.toLowerCase() as Address, to.toLowerCase() as Address]
  return { from: owner, to: receiver, value, validAfter, validBefore, nonce, signature }
}
