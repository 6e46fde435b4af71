import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { localDirectory } from '../../ops/process/paths.ts'
import { databaseUrlOf, dropDatabase } from '../postgres/postgres-databases.ts'
import { type Anvil, readHead, startAnvil } from './anvil.ts'
import {
  type ChainInstance,
  createDirectoryOf,
  databaseNameOf,
  directoryOf,
  findInstance,
  newInstanceId,
  removeInstance,
  saveInstance,
  statePathOf,
} from './chain-instance.ts'
import { findDivergence, findObstacle, type Present } from './continuation.ts'
import { deployContracts } from './deploy-contracts.ts'
import { mineEvery } from './mine-every.ts'

/** Interval of the blocks without transactions, milliseconds. */
const BLOCK_MS = 3_000

export interface OpenChainOptions extends Present {
  port: number
  forkUrl: string | undefined
  /** True to create a new chain even if the last chain could be continued. */
  reset: boolean
  say: (message: string) => void
}

export interface OpenChain {
  anvil: Anvil
  instance: ChainInstance
  isContinued: boolean
  /** JSON file with the contract addresses. */
  deploymentFile: string
}

/**
 * Continues the last chain, if that chain and its tables are unchanged. Otherwise prints the reason, removes the last
 * chain with its database, and creates a new chain with the contracts.
 */
export async function openChain(options: OpenChainOptions): Promise<OpenChain> {
  const last = findInstance()
  if (last !== null) {
    const continuation = await tryToContinue(last, options)
    if (typeof continuation !== 'string') return continuation
    options.say(`starting over: ${continuation}`)
    if (last.server === options.server) await dropDatabase(options.serverUrl, databaseNameOf(last.id))
  }
  removeInstance()
  return startOver(options)
}

/** Continues the last chain. @returns the running chain, or the reason why the last chain cannot be continued */
async function tryToContinue(instance: ChainInstance, options: OpenChainOptions): Promise<OpenChain | string> {
  if (options.reset) return 'asked to (--reset)'
  const obstacle = await findObstacle(instance, options)
  if (obstacle !== null) return obstacle
  let anvil: Anvil
  try {
    anvil = await runNode(instance.id, options)
  } catch (error) {
    return `the saved chain cannot be loaded: ${error instanceof Error ? error.message : error}`
  }
  const databaseUrl = databaseUrlOf(options.serverUrl, databaseNameOf(instance.id))
  const divergence = await findDivergence(instance, { anvil, databaseUrl })
  if (divergence === null) return { anvil, instance, isContinued: true, deploymentFile: deploymentFileOf(instance.id) }
  await anvil.stop()
  return divergence
}

async function startOver(options: OpenChainOptions): Promise<OpenChain> {
  const id = newInstanceId()
  const directory = createDirectoryOf(id)
  const anvil = await runNode(id, options)
  const { deployment, deploymentFile } = await deployContracts(anvil, {
    forked: options.isForked,
    directory,
    hasBonus: true,
    registerService: true,
  })
  const instance: ChainInstance = {
    id,
    deployment,
    server: options.server,
    deploymentKey: options.deploymentKey,
    isSeeded: false,
    head: await recordableHead(anvil),
    urlSigningSecret: randomBytes(32).toString('hex'),
  }
  saveInstance(instance)
  return { anvil, instance, isContinued: false, deploymentFile }
}

/** Records the newest block. The next start checks that the saved chain has this block. */
export async function recordHead(anvil: Anvil, instance: ChainInstance): Promise<void> {
  saveInstance({ ...instance, head: await recordableHead(anvil) })
}

async function recordableHead(anvil: Anvil): Promise<ChainInstance['head']> {
  const { number, hash } = await readHead(anvil)
  return { number: String(number), hash }
}

/**
 * Starts the node of a chain. The node mines a block for each transaction, and also an empty block every three seconds.
 */
async function runNode(id: string, { port, forkUrl }: OpenChainOptions): Promise<Anvil> {
  const anvil = await startAnvil({
    port,
    logFile: join(localDirectory, 'logs', 'anvil.log'),
    ...(forkUrl === undefined ? { statePath: statePathOf(id) } : { forkUrl }),
  })
  const endMining = mineEvery(anvil, BLOCK_MS)
  const stop = () => {
    endMining()
    return anvil.stop()
  }
  return { ...anvil, stop }
}

function deploymentFileOf(id: string): string {
  return join(directoryOf(id), 'deployment.json')
}
