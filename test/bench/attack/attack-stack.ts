import postgres from 'postgres'
import { defaultLimits, type Keeper, startKeeper } from '../../../ops/standby/keeper.ts'
import type { StandbyServer } from '../../../scripts/postgres/standby-server.ts'
import { type RpcProxy, startRpcProxy } from '../../faults/inject/rpc-proxy.ts'
import { type BenchStack, startBenchStack } from '../writes/bench-stack.ts'

/** A stack whose service reaches its node through a proxy that can be slow. */
export interface AttackStack extends BenchStack {
  rpc: RpcProxy
  /** Writes of contract wallets that are bound and not relayed yet. */
  countWaiting(): Promise<number>
  /** Writes of any kind that have no outcome yet. */
  countOpen(): Promise<number>
}

/** Gas for contract wallets is not what an attack is to run out of here; each analyst is a client of its own. */
const environment = { FOREIGN_WEI_PER_DAY: String(10n ** 20n), TRUSTED_PROXIES: '127.0.0.1' }

export async function startAttackStack(): Promise<AttackStack> {
  const stack = await startBenchStack('', { hasStandby: true })
  const rpc = await startRpcProxy({ upstream: stack.anvil.url })
  const sql = postgres(stack.databaseUrl, { max: 1 })
  const keeper = stack.standby === null ? null : keepStandby(stack.standby)
  const stop = async () => {
    await keeper?.stop()
    await sql.end()
    await stack.stop()
    await rpc.close()
  }
  try {
    await stack.restartApi({ ...environment, RPC_URL: rpc.url })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    ...stack,
    rpc,
    stop,
    countWaiting: async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from service.intents where status = 'recorded' and relay_class = 'foreign'`
      return row?.count ?? 0
    },
    countOpen: async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from service.intents where status in ('recorded', 'broadcast')`
      return row?.count ?? 0
    },
  }
}

/** Keeps the analysts' sessions at a low priority and ends old ones, as beside every standby. */
export function keepStandby({ url, cluster }: Pick<StandbyServer, 'url' | 'cluster'>): Keeper {
  return startKeeper({ url, dataDirectory: cluster, limits: defaultLimits, log: () => {} })
}
