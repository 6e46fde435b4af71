import { readFileSync } from 'node:fs'
import { type Address, createPublicClient, http } from 'viem'
import { flattenDeploymentFile } from '../../protocol/rules/deployment-file.ts'
import { SettingsError } from '../../settings/read-settings.ts'
import { checkSetting } from '../../settings/start-problems.ts'

/** The node and the deployment file that locate a market: the node's URL and the file's path. */
export interface MarketPlace {
  rpcUrl: string
  deploymentFile: string
}

const NODE_TIMEOUT_MS = 2_000

/**
 * Returns the reason why a node does not serve the chain of a deployment; null if the node serves that chain.
 * @throws if the node or the file cannot be read
 */
export async function findChainFault(place: MarketPlace): Promise<string | null> {
  const { chainId } = readDeployment(place)
  const servedChainId = await openClient(place).getChainId()
  return servedChainId === chainId
    ? null
    : `the node serves chain ${servedChainId}, the deployment is on chain ${chainId}`
}

/**
 * Returns the reason why the market of a deployment is not on the node's chain; null if the market is on that chain.
 * @throws if the node or the file cannot be read
 */
export async function findMarketFault(place: MarketPlace): Promise<string | null> {
  const { market } = readDeployment(place)
  const code = await openClient(place).getCode({ address: market })
  return code === undefined ? `there is no contract at ${market}, the market of ${place.deploymentFile}` : null
}

/**
 * Checks the deployment file. If the node answers, checks that the node serves the deployment's chain and that the
 * market is on the chain. Data of another chain could otherwise stay in Ponder's cache.
 * @throws SettingsError with the wrong setting
 */
export async function checkMarketPlace(place: MarketPlace): Promise<void> {
  // A node without an answer is no error, because the start later waits for the node.
  await checkSetting('DEPLOYMENT_FILE', () => readDeployment(place))
  const [chain, market] = await Promise.allSettled([findChainFault(place), findMarketFault(place)])
  if (chain.status === 'rejected') return
  if (chain.value !== null) throw new SettingsError([{ setting: 'RPC_URL', problem: chain.value }])
  if (market.status === 'rejected' || market.value === null) return
  throw new SettingsError([{ setting: 'DEPLOYMENT_FILE', problem: market.value }])
}

function openClient({ rpcUrl }: MarketPlace) {
  return createPublicClient({ transport: http(rpcUrl, { timeout: NODE_TIMEOUT_MS, retryCount: 0 }) })
}

function readDeployment({ deploymentFile }: MarketPlace): { chainId: number; market: Address } {
  return flattenDeploymentFile(JSON.parse(readFileSync(deploymentFile, 'utf8'))) as { chainId: number; market: Address }
}
