import type { Address } from 'viem'

/** Addresses that are the same on Base and on a local chain that stands in for it. */
export const canonicalAddresses = {
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  identityRegistry: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  reputationRegistry: '0x8004BAa17C55a88189AE136b182e5fdA19dE9b63',
} as const satisfies Record<string, Address>

/** The deterministic deployer: salt and creation code in, CREATE2 out. Anvil has it from the start. */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
