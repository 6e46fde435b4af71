import { type Deployment, readDeployment } from '../../api/chain/deployment.ts'
import { connectDatabase, type Database } from '../../api/db/client.ts'
import { openRelayers } from '../../api/relayer/signers/open-relayers.ts'
import type { Relayer } from '../../api/relayer/signers/relayer.ts'
import { connectReader, type ReadClient } from '../../scripts/contracts/chain.ts'
import { readCloudEnvironment } from '../../settings/cloud-environment.ts'
import { readSettings } from '../../settings/read-settings.ts'

/** The chain, the database and the signers with which `npm run relayer` works. */
export interface Place {
  client: ReadClient
  rpcUrl: string
  deployment: Deployment
  sql: Database
  /**
   * Opens the signers that the settings name.
   * @throws SettingsError if a signer cannot be opened
   */
  openRelayers(): Promise<Relayer[]>
  close(): Promise<void>
}

/**
 * Connects to the node and the database that the settings of the service name.
 * @param rpcUrl URL of the node to use instead of the first in RPC_URL
 * @throws SettingsError if a setting is wrong; Error if the node does not answer or serves another chain
 */
export async function openPlace(
  environment: Readonly<Record<string, string | undefined>>,
  rpcUrl?: string,
): Promise<Place> {
  const settings = readSettings('relayer', environment)
  const deployment = await readDeployment(settings.DEPLOYMENT_FILE)
  const url = rpcUrl ?? String(settings.RPC_URL[0])
  const client = await connectReader(url).catch((cause) => {
    throw new Error('The node does not answer: see RPC_URL, or name another one, --rpc-url URL.', { cause })
  })
  if (client.chain.id !== deployment.chainId) {
    throw new Error(
      `The node is of chain ${client.chain.id}, and ${settings.DEPLOYMENT_FILE} of ${deployment.chainId}.`,
    )
  }
  const sql = connectDatabase({ url: settings.DATABASE_URL, max: 2 })
  return {
    client,
    rpcUrl: url,
    deployment,
    sql,
    openRelayers: () =>
      openRelayers({
        RELAYER_KEYS: settings.RELAYER_KEYS ?? [],
        RELAYER_SIGNERS: settings.RELAYER_SIGNERS ?? [],
        cloud: readCloudEnvironment(environment),
      }),
    close: () => sql.end({ timeout: 1 }),
  }
}
