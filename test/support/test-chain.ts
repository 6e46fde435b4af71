import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Anvil, startAnvil } from '../../scripts/chain/anvil.ts'
import { deployContracts, deploymentKey } from '../../scripts/chain/deploy-contracts.ts'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import { connect } from '../../scripts/contracts/chain.ts'
import type { Deployment } from '../../scripts/contracts/deploy.ts'
import { writeDeploymentFile } from '../../scripts/contracts/deployment-file.ts'
import { contractsRoot } from '../../scripts/contracts/paths.ts'

/** Beside what the contracts are compiled to, so that all runs share it: the local directory of each is another one. */
const cacheFolder = join(contractsRoot, 'cache')

const cacheSchema = z.object({ key: z.string(), state: z.string(), deployment: z.record(z.string(), z.unknown()) })

/** A chain that many tests begin with. */
export interface SavedChain {
  /** Names its file in the cache. Example: `stack`. */
  name: string
  /** Decides with the compiled contracts whether the file is current: what `deploy` does besides deploying. */
  variant: string
  /** Puts the contracts on an empty chain. */
  deploy(anvil: Anvil): Promise<Deployment>
}

/**
 * Gives an empty chain the contracts and the funded wallets, from a saved chain with the same contracts
 * (a tenth of the time), and writes the addresses to `<directory>/deployment.json`.
 */
export async function restoreDeployedChain(
  anvil: Anvil,
  directory: string,
): Promise<{ deployment: Deployment; deploymentFile: string }> {
  const deploy = async (other: Anvil) =>
    (await deployContracts(other, { forked: false, directory, hasBonus: false })).deployment
  const deployment = await restoreChain(anvil, { name: 'stack', variant: '', deploy })
  const deploymentFile = join(directory, 'deployment.json')
  const client = await connect(anvil.url, devAccount('deployer').privateKey)
  // A saved chain has no states of before.
  await writeDeploymentFile(client, deploymentFile, deployment, { findBlock: async () => deployment.startBlock })
  return { deployment, deploymentFile }
}

/** Gives an empty chain the state of a saved one, which is made first where the cache has none. @returns its contracts */
export async function restoreChain(anvil: Anvil, chain: SavedChain): Promise<Deployment> {
  const { state, deployment } = readSaved(chain) ?? (await deployAndSave(chain))
  await anvil.request('anvil_loadState', [state])
  // The saved head has the time of the saving; deadlines count from now.
  await anvil.request('evm_mine')
  return deployment
}

function readSaved(chain: SavedChain): { state: string; deployment: Deployment } | null {
  try {
    const { key, state, deployment } = cacheSchema.parse(JSON.parse(readFileSync(fileOf(chain), 'utf8')))
    return key === keyOf(chain) ? { state, deployment: deployment as Deployment } : null
  } catch {
    return null
  }
}

async function deployAndSave(chain: SavedChain): Promise<{ state: string; deployment: Deployment }> {
  const anvil = await startAnvil()
  try {
    const deployment = await chain.deploy(anvil)
    // A transaction is mined behind the answer to it: the last ones may be in no block yet.
    await anvil.request('evm_mine')
    const state = String(await anvil.request('anvil_dumpState'))
    mkdirSync(cacheFolder, { recursive: true })
    const unfinished = `${fileOf(chain)}.${process.pid}`
    writeFileSync(unfinished, JSON.stringify({ key: keyOf(chain), state, deployment }))
    renameSync(unfinished, fileOf(chain))
    return { state, deployment }
  } finally {
    await anvil.stop()
  }
}

function fileOf({ name }: SavedChain): string {
  return join(cacheFolder, `test-chain-${name}.json`)
}

function keyOf({ variant }: SavedChain): string {
  return `${deploymentKey()} ${variant}`
}
