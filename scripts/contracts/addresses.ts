import type { Address } from 'viem'

/** The deterministic deployer: salt and creation code in, CREATE2 out. Anvil has it from the start. */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
