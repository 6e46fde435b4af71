import { type Address, encodeFunctionData, type Hex } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'

/** USDC's calldata that makes an authorized transfer (ERC-3009), signed by a key or a contract wallet. */
export function encodeTransfer(transfer: {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}): Hex {
  const { from, to, value, validAfter, validBefore, nonce, signature } = transfer
  return encodeFunctionData({
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
}
