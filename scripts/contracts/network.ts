import { existsSync, globSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Address } from 'viem'
import { z } from 'zod'
import { repositoryRoot } from './paths.ts'

/** Folder of the deployment files, one per chain. */
export const deploymentsRoot = join(repositoryRoot, 'deployments')

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'is no address')
  .transform((text) => text as Address)

const networkSchema = z.object({
  chainId: z.int().min(1),
  /** Name of the network. Example: `base-sepolia`. */
  name: z.string().regex(/^[a-z0-9-]{1,64}$/),
  usdc: z.object({ address, name: z.string(), version: z.string() }),
  multicall3: address,
  registries: z.object({
    /**
     * `startBlock`: first block with logs of this registry. Absent: the logs are read from the first block of the
     * project's contracts on.
     */
    identityRegistry: z.object({ address, startBlock: z.int().min(0).exactOptional() }),
    reputationRegistry: z.object({ address }),
  }),
  explorer: z.url().exactOptional(),
  /** URL of a public node. The network's own documentation names this node. */
  rpcUrl: z.url().exactOptional(),
})

/** The facts of a chain that a deployment file contains before the market is deployed: chain, USDC and registries. */
export type Network = z.infer<typeof networkSchema>

/**
 * Reads a network by its name, its chain id or the path of a deployment file. Examples: `base`, `84532`,
 * `./my-chain.json`.
 * @throws Error that lists the networks of this repository, or that states the problem of the file
 */
export function readNetwork(which: string): Network {
  return readJsonFile(findNetworkFile(which), networkSchema)
}

/**
 * Reads a deployment file, and validates it with a schema. @throws Error with the name of the file and the problem of
 * its content
 */
export function readJsonFile<T>(file: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message
    throw new Error(`${file} is no deployment file: ${problem}`, { cause })
  }
}

/**
 * Returns the path of a network's deployment file. `which` has the forms that `readNetwork` accepts. @throws Error that
 * lists the networks of this repository
 */
export function findNetworkFile(which: string): string {
  if (which.endsWith('.json')) {
    const path = isAbsolute(which) ? which : join(process.cwd(), which)
    if (existsSync(path)) return path
    throw new Error(`There is no deployment file ${path}.`)
  }
  const files = globSync('*.json', { cwd: deploymentsRoot }).map((name) => {
    const path = join(deploymentsRoot, name)
    return { path, network: readJsonFile(path, networkSchema) }
  })
  const networkFile = files.find(({ network }) => [network.name, String(network.chainId)].includes(which))
  if (networkFile !== undefined) return networkFile.path
  const knownNetworks = files.map(({ network }) => `${network.name} (${network.chainId})`).join(', ')
  throw new Error(
    `No deployment file is of the network ${which}. Known: ${knownNetworks}. For another EVM chain with a USDC that takes ` +
      'ERC-3009 authorizations, copy a file of deployments/ with its chain, its USDC and its registries, and name that file.',
  )
}

/** Returns the addresses of the external contracts that the market depends on. */
export function foundationsOf({ usdc, multicall3, registries }: Network) {
  return {
    usdc: usdc.address,
    multicall3,
    identityRegistry: registries.identityRegistry.address,
    reputationRegistry: registries.reputationRegistry.address,
  }
}

/**
 * The network that the local chains of this process imitate: the network that LOCAL_NETWORK names, or Base by default.
 */
export const localNetwork: Network = readNetwork(process.env.LOCAL_NETWORK ?? 'base')
