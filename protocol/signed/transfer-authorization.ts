import { type Address, getAddress } from 'viem'

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

/**
 * The typed data (EIP-712) of an authorized transfer of USDC, without its message, which is the authorization. Payments and
 * withdrawals are such transfers, and a challenge shows it.
 *
 * Example: `signTypedData({ ...transferTypedData(deployment), message: { from, to, value: 5_000_000n, ... } })`.
 */
export function transferTypedData({ chainId, usdc }: { chainId: number; usdc: Address }) {
  return {
    domain: { name: usdcDomainName, version: usdcDomainVersion, chainId, verifyingContract: getAddress(usdc) },
    types: transferTypes,
    primaryType: 'TransferWithAuthorization',
  } as const
}
