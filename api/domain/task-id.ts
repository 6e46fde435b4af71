import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'

const parameters = [{ type: 'uint256' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const

/**
 * The id a task gets on chain: keccak256(abi.encode(chainId, market, requester, nonce)), as ERC-8195 has it. `nonce`
 * counts the requester's tasks from 0.
 */
export function toTaskId(requester: Address, nonce: bigint, at: { chainId: number; market: Address }): Hex {
  return keccak256(encodeAbiParameters(parameters, [BigInt(at.chainId), at.market, requester, nonce]))
}
