import { join } from 'node:path'
import { localDirectory } from '../../../ops/process/paths.ts'
import { connectReader, type ReadClient } from '../chain.ts'
import { refuseForeignChain } from '../deploy.ts'
import { type DeploymentRecord, readDeploymentRecord } from '../deployment-file.ts'
import { installStandIns } from '../local-chain.ts'
import { findNetworkFile, type Network, readNetwork } from '../network.ts'
import type { DeployWords } from './options.ts'

/** The chain of a command, and the file of its deployment. */
export interface Place {
  network: Network
  networkFile: string
  /** Path of the deployment file. */
  file: string
  /** Content of the file; null: there is no such file yet. */
  record: DeploymentRecord | null
  rpcUrl: string
  client: ReadClient
}

/** The files of a command, without its chain. */
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
 * Connects to the node, and with `--local` installs the stand-ins on its chain.
 * @throws Error if it does not answer, is of another chain, or is not local despite `--local`
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

/** A public chain must not pass for a local one, on which keys of the environment are used. */
async function requireAnvil(client: ReadClient, rpcUrl: string): Promise<void> {
  const version = await client.request({ method: 'web3_clientVersion' })
  if (version.toLowerCase().startsWith('anvil/')) return
  throw new Error(`--local is for a chain of anvil's on this machine; ${rpcUrl} is ${version}. Leave it out.`)
}
