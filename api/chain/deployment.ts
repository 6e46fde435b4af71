import { readFile } from 'node:fs/promises'
import type { Address } from 'viem'
import { z } from 'zod'
import { flattenDeploymentFile } from '../../protocol/rules/deployment-file.ts'

/** The service's chain and its contract addresses, in lower case. */
export interface Deployment {
  chainId: number
  /** The network's name in the answer of `GET /network`, such as `base`. */
  name: string
  /** True for a local development chain. The time of a local chain may stop or be changed. */
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
  /**
   * True if the forwarder accepts payments whose signature is valid for one call only (bound payments). Absent if the
   * forwarder is of an earlier version.
   */
  bound?: true
  /** The hook of the token bonus programme. Absent if the deployment has no bonus programme. */
  bonusHook?: Address
  /** The token that the bonus programme pays. Absent if the deployment has no bonus programme. */
  rewardToken?: Address
  /** The hook of tasks with token rewards from a sponsored vault. Absent if the deployment has none. */
  sponsoredTasksHook?: Address
  /** The factory of the sponsored vaults. Absent if the deployment has none. */
  sponsoredVaultFactory?: Address
  /** The libraries by name. The deployment's contracts call the libraries' code; libraries hold no assets. */
  libraries?: Record<string, Address>
  /** The service's agent id in the identity registry. Absent if the service is not registered. */
  serviceAgentId?: bigint
}

/**
 * Lists the addresses of all contracts of a deployment, with USDC, registries and libraries. Tokens that an account
 * sends to these addresses are lost.
 */
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
 * Reads the deployment file and converts the addresses to lower case.
 * @throws Error with the file's name if the file is missing or invalid, or has no contracts for its chain
 */
export async function readDeployment(file: string): Promise<Deployment> {
  try {
    return deploymentSchema.parse(flattenDeploymentFile(JSON.parse(await readFile(file, 'utf8'))))
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message
    throw new Error(`${file} does not say where the contracts are: ${problem}`, { cause })
  }
}
