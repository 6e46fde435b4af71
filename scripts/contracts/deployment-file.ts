import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Address, type Hex, keccak256 } from 'viem'
import { z } from 'zod'
import type { ReadClient } from './chain.ts'
import { findDeploymentBlock } from './create2.ts'
import type { Deployment } from './deploy.ts'
import { type RecordedSetup, recordedSetupSchema } from './deployment/recorded-setup.ts'
import { readJsonFile } from './network.ts'

type FindBlock = (client: ReadClient, address: Address) => Promise<number>

/** Fields of a deployment file that are not part of `Deployment`. */
export interface FileExtras {
  /** The setup of the deployment; absent in the files of local stacks. */
  setup?: RecordedSetup
  rpcUrl?: string
  /** Finds the block in which a contract was created. Default: a search through the states of the chain. */
  findBlock?: FindBlock
}

/**
 * Writes a deployment file. The file contains, for each contract, the block of its creation and the hash of its code.
 * Both are read from the chain.
 */
export async function writeDeploymentFile(
  client: ReadClient,
  file: string,
  deployment: Deployment,
  extras: FileExtras = {},
): Promise<void> {
  writeJson(file, await toFile(client, deployment, extras))
}

const recordSchema = z.object({
  usdc: z.object({ name: z.string(), version: z.string() }),
  contracts: z.record(z.string(), z.object({ address: z.string(), block: z.int(), codeHash: z.string() })),
  setup: recordedSetupSchema.exactOptional(),
  serviceAgentId: z.string().exactOptional(),
  startBlock: z.int().exactOptional(),
})

/** The fields of a deployment file that the deploy command reads. */
export type DeploymentRecord = z.infer<typeof recordSchema>

/**
 * Reads a deployment file. @returns null if there is no such file @throws Error that states the problem if the content
 * is invalid
 */
export function readDeploymentRecord(file: string): DeploymentRecord | null {
  return existsSync(file) ? readJsonFile(file, recordSchema) : null
}

/**
 * Writes the setup of a deployment into its file before anything is sent. A later run can then continue the deployment
 * without the command's options.
 * @param networkFile file with the facts of the chain, which are copied if `file` does not exist
 */
export function recordSetup(file: string, networkFile: string, setup: RecordedSetup): void {
  const content = JSON.parse(readFileSync(existsSync(file) ? file : networkFile, 'utf8')) as Record<string, unknown>
  writeJson(file, { ...content, setup })
}

/** Removes the deployment from a file. The facts of the chain stay in the file. */
export function forgetDeployment(file: string): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const { setup: _setup, serviceAgentId: _agent, startBlock: _block, rewardToken: _token, ...facts } = content
  writeJson(file, { ...facts, contracts: {}, libraries: {} })
}

function writeJson(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}

async function toFile(client: ReadClient, deployment: Deployment, extras: FileExtras) {
  const { setup, rpcUrl, findBlock = findDeploymentBlock } = extras
  const { chainId, name, local = false, bound, usdc, usdcDomain, libraries, multicall3, rewardToken } = deployment
  const { identityRegistry, reputationRegistry, identityStartBlock, serviceAgentId, explorer, startBlock } = deployment
  const { market, forwarder, identityRegistrar, sponsoredTasksHook, sponsoredVaultFactory, bonusHook } = deployment
  const contracts = { market, forwarder, identityRegistrar, sponsoredTasksHook, sponsoredVaultFactory, bonusHook }
  const descriptions: Record<string, Awaited<ReturnType<typeof describe>>> = {}
  // One after another: an anvil that forks another can hang on several questions about old states at once.
  for (const [key, address] of Object.entries(contracts)) {
    if (address !== undefined) descriptions[key] = await describe(client, address, findBlock)
  }
  return {
    chainId,
    name,
    local,
    ...(bound === true && { bound }),
    network: `eip155:${chainId}`,
    usdc: { address: usdc, ...usdcDomain },
    contracts: descriptions,
    libraries,
    multicall3,
    ...(rewardToken !== undefined && { rewardToken }),
    registries: {
      identityRegistry: {
        address: identityRegistry,
        ...(identityStartBlock !== undefined && { startBlock: identityStartBlock }),
      },
      reputationRegistry: { address: reputationRegistry },
    },
    ...(serviceAgentId !== undefined && { serviceAgentId }),
    ...(explorer !== undefined && { explorer }),
    ...(rpcUrl !== undefined && { rpcUrl }),
    startBlock,
    ...(setup !== undefined && { setup }),
  }
}

async function describe(
  client: ReadClient,
  address: Address,
  findBlock: FindBlock,
): Promise<{ address: Address; block: number; codeHash: Hex }> {
  const block = await findBlock(client, address)
  const code = await client.getCode({ address })
  if (code === undefined) throw new Error(`there is no contract at ${address} on chain ${client.chain.id}`)
  return { address, block, codeHash: keccak256(code) }
}
