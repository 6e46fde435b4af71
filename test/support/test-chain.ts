import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Anvil, startAnvil } from '../../scripts/chain/anvil.ts'
import { deployContracts, deploymentKey } from '../../scripts/chain/deploy-contracts.ts'
import type { Deployment } from '../../scripts/contracts/deploy.ts'
import { contractsRoot } from '../../scripts/contracts/paths.ts'

/** Beside what the contracts are compiled to, so that all runs share it: the local directory of each is another one. */
const cacheFolder = join(contractsRoot, 'cache')
const cacheFile = join(cacheFolder, 'test-chain.json')

const cacheSchema = z.object({ key: z.string(), state: z.string(), deployment: z.record(z.string(), z.unknown()) })

/**
 * Gives an empty chain the contracts and the funded wallets, from a saved chain with the same contracts
 * (a tenth of the time), and writes the addresses to `<directory>/deployment.json`.
 */
export async function restoreDeployedChain(
  anvil: Anvil,
  directory: string,
): Promise<{ deployment: Deployment; deploymentFile: string }> {
  const saved = readSaved() ?? (await deployAndSave(directory))
  await anvil.request('anvil_loadState', [saved.state])
  // The saved head has the time of the saving; deadlines count from now.
  await anvil.request('evm_mine')
  const deploymentFile = join(directory, 'deployment.json')
  writeFileSync(deploymentFile, JSON.stringify(saved.deployment))
  return { deployment: saved.deployment, deploymentFile }
}

function readSaved(): { state: string; deployment: Deployment } | null {
  try {
    const { key, state, deployment } = cacheSchema.parse(JSON.parse(readFileSync(cacheFile, 'utf8')))
    return key === deploymentKey() ? { state, deployment: deployment as Deployment } : null
  } catch {
    return null
  }
}

async function deployAndSave(directory: string): Promise<{ state: string; deployment: Deployment }> {
  const anvil = await startAnvil()
  try {
    const { deployment } = await deployContracts(anvil, { forked: false, directory, hasBonus: false })
    const state = String(await anvil.request('anvil_dumpState'))
    mkdirSync(cacheFolder, { recursive: true })
    const unfinished = `${cacheFile}.${process.pid}`
    writeFileSync(unfinished, JSON.stringify({ key: deploymentKey(), state, deployment }))
    renameSync(unfinished, cacheFile)
    return { state, deployment }
  } finally {
    await anvil.stop()
  }
}
