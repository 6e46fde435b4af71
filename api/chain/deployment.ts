import { readFile } from 'node:fs/promises'
import type { Address } from 'viem'
import { z } from 'zod'
import { flattenDeploymentFile } from '../../protocol/rules/deployment-file.ts'

/** The contract addresses on the service's chain, lower case. */
export interface Deployment {
  chainId: number
  /** The name of the network in `GET /network`: `base`. */
  name: string
  /** True for a node of this machine, whose time may stand still or be moved. */
  local: boolean
  market: Address
  forwarder: Address
  usdc: Address
  /** The name and version of USDC's EIP-712 domain. */
  usdcDomain: { name: string; version: string }
  multicall3: Address
  identityRegistry: Address
  identityRegistrar: Address
  reputationRegistry: Address
  /** True if the forwarder takes bound payments; absent: its deployment predates them. */
  bound?: true
  /** The programme of token bonuses and the sponsored vaults; absent: the deployment has none. */
  bonusHook?: Address
  rewardToken?: Address
  sponsoredTasksHook?: Address
  sponsoredVaultFactory?: Address
  /** The libraries by name: code that the contracts above call, without assets. */
  libraries?: Record<string, Address>
  /** The service's id in the identity registry; absent: not registered. */
  serviceAgentId?: bigint
}

/** Lists every contract of a deployment with USDC, registries and libraries: tokens sent to one are lost. */
export function listContracts({
  chainId: _,
  name: _name,
  local: _local,
  usdcDomain: _domain,
  serviceAgentId: _id,
  bound: _bound,
  libraries = {},
  ...contracts
}: Deployment): Address[] {
  return [...Object.values(contracts), ...Object.values(libraries)]
}

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Address)

const deploymentSchema = z.object({
  chainId: z.number().int(),
  name: z.string().min(1).max(64),
  local: z.boolean().default(false),
  market: address,
  forwarder: address,
  usdc: address,
  usdcDomain: z.object({ name: z.string(), version: z.string() }),
  multicall3: address,
  identityRegistry: address,
  identityRegistrar: address,
  reputationRegistry: address,
  bound: z.literal(true).exactOptional(),
  bonusHook: address.exactOptional(),
  rewardToken: address.exactOptional(),
  sponsoredTasksHook: address.exactOptional(),
  sponsoredVaultFactory: address.exactOptional(),
  libraries: z.record(z.string(), address).exactOptional(),
  serviceAgentId: z
    .string()
    .regex(/^[0-9]{1,78}$/)
    .transform(BigInt)
    .exactOptional(),
})

/**
 * Reads the deployment file, with addresses in lower case.
 * @throws Error with the file's name when it is missing, invalid, or of a chain without the contracts
 */
export async function readDeployment(file: string): Promise<Deployment> {
  try {
    return deploymentSchema.parse(flattenDeploymentFile(JSON.parse(await readFile(file, 'utf8'))))
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message
    throw new Error(`${file} does not say where the contracts are: ${problem}`, { cause })
  }
}
