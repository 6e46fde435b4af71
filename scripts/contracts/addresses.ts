import type { Address } from 'viem'

/**
 * Address of the deterministic deployer. This contract creates other contracts by CREATE2, from a salt and creation
 * code. A new anvil chain already contains the deployer.
 */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
