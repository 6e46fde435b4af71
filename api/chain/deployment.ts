import { readFile } from 'node:fs/promises'
import type { Address } from 'viem'
import { z } from 'zod'
import { flattenDeploymentFile } from '../../protocol/rules/deployment-file.ts'

/** Contract addresses on the chain of this service, lower case. */
export interface Deployment {
  chainId: number
  /** Name of the network, as `GET /network` answers it: `base`. */
  name: string
  /** The chain is a node of this machine, whose time may stand still or be moved. */
  local: boolean
  market: Address
  forwarder: Address
  usdc: Address
  /** Name and version of USDC's EIP-712 domain. */
  usdcDomain: { name: string; version: string }
  multicall3: Address
  identityRegistry: Address
  identityRegistrar: Address
  reputationRegistry: Address
  /** The forwarder takes bound payments. Absent: it was deployed before there were any. */
  bound?: true
  /** Absent: the deployment has no programme of token bonuses, or no sponsored vaults. */
  bonusHook?: Address
  rewardToken?: Address
  sponsoredTasksHook?: Address
  sponsoredVaultFactory?: Address
  /** By name: code that the contracts above call, and that holds nothing. */
  libraries?: Record<string, Address>
  /** The service's own id in the identity registry; absent: it is not registered. */
  serviceAgentId?: bigint
}

/** Every contract of a deployment, USDC, registries and libraries included: tokens that are sent to one are lost. */
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
 * Reads where the contracts are, addresses in lower case.
 * @throws Error naming the file when it is missing, no deployment, or of a chain without the contracts
 */
export async function readDeployment(file: string): Promise<Deployment> {
  try {
    return deploymentSchema.parse(flattenDeploymentFile(JSON.parse(await readFile(file, 'utf8'))))
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message
    throw new Error(`${file} does not say where the contracts are: ${problem}`, { cause })
  }
}
