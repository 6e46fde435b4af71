import postgres from 'postgres'
import type { Anvil } from '../../../scripts/chain/anvil.ts'
import { devAccount, devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { startPostgres } from '../../../scripts/postgres/postgres.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'

export interface BenchStack extends TestStack {
  /** Where the Postgres binaries come from. */
  postgres: string
  /** Newest block whose rows the read model holds. */
  indexedBlock(): Promise<bigint>
}

/** What `npm start` runs the service with. */
export const apiEnvironment = { POLLING_INTERVAL_MS: '100', LOG_LEVEL: 'info' }

/** Nonce sequences of the service. One of the relayers is left to the bare sender. */
export const serviceRelayers = devRelayers().slice(0, -1)
export const bareRelayer = devAccount('relayer4')

/**
 * A stack as `npm start` makes it, its chain mining at once. The service has all relayers but one.
 * @param nodeOptions for the service's process, such as `--cpu-prof`
 * @param hasStandby analysts' SQL is answered
 */
export async function startBenchStack(nodeOptions: string, { hasStandby = false } = {}): Promise<BenchStack> {
  const server = await startPostgres()
  try {
    const stack = await startTestStack({
      hasStandby,
      postgresUrl: server.url,
      apiEnvironment: {
        ...apiEnvironment,
        RELAYER_KEYS: serviceRelayers.map(({ privateKey }) => privateKey).join(','),
        ...(nodeOptions === '' ? {} : { NODE_OPTIONS: nodeOptions }),
      },
    })
    const sql = postgres(stack.databaseUrl, { max: 1 })
    const indexedBlock = async () => {
      const [head] = await sql<{ blockNumber: string }[]>`SELECT block_number AS "blockNumber" FROM market.indexed_head`
      return BigInt(head?.blockNumber ?? -1)
    }
    const stop = async () => {
      await sql.end()
      await stack.stop()
      await server.stop()
    }
    return { ...stack, postgres: server.origin, indexedBlock, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** @param seconds from block to block; 0: none comes by itself; null: one for each transaction */
export async function setBlockTime({ request }: Anvil, seconds: number | null): Promise<void> {
  await request('evm_setAutomine', [seconds === null])
  await request('evm_setIntervalMining', [seconds ?? 0])
}
