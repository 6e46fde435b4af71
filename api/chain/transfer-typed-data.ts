import { getAddress } from 'viem'
import type { Deployment } from './deployment.ts'

/** USDC's EIP-712 domain, but chain and address. */
export const usdcDomainName = 'USD Coin'
export const usdcDomainVersion = '2'

/** The struct of ERC-3009, as the token hashes it. */
const transferTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** What a payer signs, without the message: the part of the challenge a plain client needs to sign with. */
export function transferTypedData({ chainId, usdc }: Pick<Deployment, 'chainId' | 'usdc'>) {
  return {
    domain: { name: usdcDomainName, version: usdcDomainVersion, chainId, verifyingContract: getAddress(usdc) },
    types: transferTypes,
    primaryType: 'TransferWithAuthorization',
  } as const
}
