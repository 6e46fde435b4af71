import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Address, type Hex, keccak256 } from 'viem'
import type { DeployClient } from './chain.ts'
import { findDeploymentBlock } from './create2.ts'
import type { Deployment } from './deploy.ts'
import { deploymentsRoot } from './network.ts'

/** Where a deployment to a public chain is written down. */
export function deploymentPathOf({ chainId }: Pick<Deployment, 'chainId'>): string {
  return join(deploymentsRoot, `${chainId}.json`)
}

type FindBlock = (client: DeployClient, address: Address) => Promise<number>

/**
 * Writes a deployment file: each contract with the block of its creation and the hash of its code, as the chain has them.
 * @param findBlock of a creation; by a search over the states of the chain unless given
 */
export async function writeDeploymentFile(
  client: DeployClient,
  file: string,
  deployment: Deployment,
  findBlock: FindBlock = findDeploymentBlock,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(await toFile(client, deployment, findBlock), null, 2)}\n`)
}

async function toFile(client: DeployClient, deployment: Deployment, findBlock: FindBlock) {
  const { chainId, name, local = false, bound, usdc, usdcDomain, libraries, multicall3, rewardToken } = deployment
  const { identityRegistry, reputationRegistry, identityStartBlock, serviceAgentId, explorer, startBlock } = deployment
  const { market, forwarder, identityRegistrar, sponsoredTasksHook, sponsoredVaultFactory, bonusHook } = deployment
  const contracts = { market, forwarder, identityRegistrar, sponsoredTasksHook, sponsoredVaultFactory, bonusHook }
  const rows = Object.entries(contracts).map(async ([key, address]) =>
    address === undefined ? [] : [[key, await describe(client, address, findBlock)] as const],
  )
  return {
    chainId,
    name,
    local,
    ...(bound === true && { bound }),
    network: `eip155:${chainId}`,
    usdc: { address: usdc, ...usdcDomain },
    contracts: Object.fromEntries((await Promise.all(rows)).flat()),
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
    startBlock,
  }
}

async function describe(
  client: DeployClient,
  address: Address,
  findBlock: FindBlock,
): Promise<{ address: Address; block: number; codeHash: Hex }> {
  const [block, code] = await Promise.all([findBlock(client, address), client.getCode({ address })])
  if (code === undefined) throw new Error(`there is no contract at ${address} on chain ${client.chain.id}`)
  return { address, block, codeHash: keccak256(code) }
}
