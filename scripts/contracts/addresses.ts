import type { Address } from 'viem'

/**
 * Address of the deterministic deployer, which creates a contract by CREATE2 from a salt and creation code. Anvil has it from the
 * start.
 */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
