import { type Address, decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
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

/** USDC's calldata that makes an authorized transfer (ERC-3009), signed by a key or a contract wallet. */
export function encodeTransfer(transfer: SignedTransfer): Hex {
  const { from, to, value, validAfter, validBefore, nonce, signature } = transfer
  return encodeFunctionData({
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
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
