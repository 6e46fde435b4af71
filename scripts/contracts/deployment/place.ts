import { join } from 'node:path'
import { localDirectory } from '../../../ops/process/paths.ts'
import { connectReader, type ReadClient } from '../chain.ts'
import { refuseForeignChain } from '../deploy.ts'
import { type DeploymentRecord, readDeploymentRecord } from '../deployment-file.ts'
import { installStandIns } from '../local-chain.ts'
import { findNetworkFile, type Network, readNetwork } from '../network.ts'
import type { DeployWords } from './options.ts'

/** The chain that a deployment command works on, and the deployment file of this chain. */
export interface Place {
  network: Network
  networkFile: string
  /** Path of the deployment file. */
  file: string
  /** Content of the deployment file; null if there is no such file yet. */
  record: DeploymentRecord | null
  rpcUrl: string
  client: ReadClient
}

/** The network and the deployment file of a command, before the command connects to the chain. */
export type Files = Omit<Place, 'client'>

export function findFiles(words: DeployWords): Files {
  const networkFile = findNetworkFile(words.network)
  const network = readNetwork(words.network)
  const localFile = join(localDirectory, 'deployments', `${network.chainId}.json`)
  const file = words.file ?? (words.local ? localFile : networkFile)
  const rpcUrl = words['rpc-url'] ?? (words.local ? 'http://127.0.0.1:8545' : network.rpcUrl)
  if (rpcUrl === undefined) {
    throw new Error(`${networkFile} names no public node: give one of ${network.name} as --rpc-url URL.`)
  }
  return { network, networkFile, file, record: readDeploymentRecord(file), rpcUrl }
}

/**
 * Connects to the node. With `--local`, also installs local versions of USDC, Multicall3 and the registries on the
 * node's chain.
 * @throws Error if the node does not answer, or has another chain than the network, or is not a local node despite
 * `--local`
 */
export async function openPlace(files: Files, { isLocal }: { isLocal: boolean }): Promise<Place> {
  const { network, rpcUrl } = files
  const client = await connectReader(rpcUrl).catch((cause) => {
    throw new Error(`${rpcUrl} does not answer. Start the node, or give another one as --rpc-url URL.`, { cause })
  })
  if (isLocal) {
    await requireAnvil(client, rpcUrl)
    if (client.chain.id === network.chainId) await installStandIns(rpcUrl, network)
  }
  await refuseForeignChain(client, network)
  return { ...files, client }
}

/**
 * Checks that the node of `--local` is anvil. Only on a local chain may a key come from the environment, so a public
 * chain must be refused here.
 */
async function requireAnvil(client: ReadClient, rpcUrl: string): Promise<void> {
  const version = await client.request({ method: 'web3_clientVersion' })
  if (version.toLowerCase().startsWith('anvil/')) return
  throw new Error(`--local is for a chain of anvil's on this machine; ${rpcUrl} is ${version}. Leave it out.`)
}
