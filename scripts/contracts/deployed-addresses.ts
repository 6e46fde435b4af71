import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import { deploymentsRoot } from './network.ts'

const contractNames = [
  'market',
  'forwarder',
  'identityRegistrar',
  'sponsoredTasksHook',
  'sponsoredVaultFactory',
  'bonusHook',
] as const

const address = z.string().transform((text) => getAddress(text))
const deploymentFile = z.object({
  chainId: z.number(),
  usdc: z.object({ address }),
  contracts: z.partialRecord(z.enum(contractNames), z.object({ address })),
  multicall3: address,
  registries: z.object({
    identityRegistry: z.object({ address }),
    reputationRegistry: z.object({ address }),
  }),
  startBlock: z.number().optional(),
})

type Addresses = Record<string, Address | number | undefined>

/**
 * Returns the addresses in each file of `deployments/`, by chain id. An address is undefined if the contract is not
 * deployed on this chain. Example: `{ 8453: { usdc: '0x8335…', market: undefined } }`.
 */
export function listAddresses(): Record<number, Addresses> {
  const files = readdirSync(deploymentsRoot).filter((file) => file.endsWith('.json'))
  const deployments = files.map((file) => {
    const { chainId, usdc, contracts, multicall3, registries, startBlock } = deploymentFile.parse(
      JSON.parse(readFileSync(join(deploymentsRoot, file), 'utf8')),
    )
    const ownAddresses = Object.fromEntries(contractNames.map((name) => [name, contracts[name]?.address]))
    return [
      chainId,
      {
        usdc: usdc.address,
        multicall3,
        identityRegistry: registries.identityRegistry.address,
        reputationRegistry: registries.reputationRegistry.address,
        ...ownAddresses,
        startBlock,
      },
    ] as const
  })
  return Object.fromEntries(deployments)
}
