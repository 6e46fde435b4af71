import { type Address, getAddress, type Hex } from 'viem'

/**
 * A worker's signed claim of a reward in a sponsored vault (`ClaimTo` of ISponsoredVault). Addresses and hex are in
 * lower case.
 */
export interface VaultClaim {
  vaultId: Hex
  epoch: bigint
  allocationId: Hex
  taskId: Hex
  index: bigint
  worker: Address
  destination: Address
  /** Amount of the claim, base units of the vault's token. */
  amount: bigint
  nonce: bigint
  /** The last second in which the vault accepts the claim, Unix time. */
  deadline: bigint
}

const claimTypes = {
  ClaimTo: [
    { name: 'vaultId', type: 'bytes32' },
    { name: 'epoch', type: 'uint64' },
    { name: 'allocationId', type: 'bytes32' },
    { name: 'taskId', type: 'bytes32' },
    { name: 'index', type: 'uint256' },
    { name: 'worker', type: 'address' },
    { name: 'destination', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/**
 * Returns the typed data (EIP-712) of a claim, with the vault's EIP-712 domain. The caller adds the claim as the
 * message.
 *
 * Example: `signTypedData({ ...claimTypedData({ chainId: 8453, vault: '0x0a..' }), message: claim })`.
 */
export function claimTypedData({ chainId, vault }: { chainId: number; vault: Address }) {
  return {
    domain: { name: 'SponsoredTasksVault', version: '1', chainId, verifyingContract: getAddress(vault) },
    types: claimTypes,
    primaryType: 'ClaimTo',
  } as const
}
