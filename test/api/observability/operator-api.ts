import type { Config } from '../../../api/config.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import type { NodeState } from '../../../api/nodes/node-pool.ts'
import { createMetrics } from '../../../api/observability/metrics.ts'
import { createObservability } from '../../../api/observability/observability.ts'
import type { Difference, SumsRound, TasksRound } from '../../../api/read-model/books.queries.ts'
import { readRelayerRunway } from '../../../api/relayer/transactions/read-relayer-runway.ts'
import { readRelayerStates } from '../../../api/relayer/transactions/read-relayer-states.ts'
import { createRelayerServices } from '../../../api/relayer/transactions/relayer-services.ts'
import { createApp } from '../../../api/server/app.ts'
import type { TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { agreeToEverything } from '../writes/fake-payments.ts'

/** Lets the fake chain tell relayers with `balance` wei whose next write costs 3.75M gas at most, at one gwei. */
export function fundRelayers(api: TestApi, balance = 10n ** 18n): void {
  agreeToEverything(api)
  Object.assign(api.chain, {
    getBalance: async () => balance,
    estimateFeesPerGas: async () => ({ maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n }),
    getTransactionCount: async () => 5n,
  })
}

/** Puts the read model at a block and a time (Unix seconds). */
export async function indexUpTo(api: TestApi, block: bigint, timestamp: bigint): Promise<void> {
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql({
    blockNumber: block,
    blockTimestamp: timestamp,
    checkpoint: '',
    ready: true,
  })}`
}

/** The same service upon another database, with nothing measured yet. */
export function appOn(
  api: TestApi,
  databaseUrl: string,
  settings: Partial<Config> = {},
  { probeStorage = async () => {}, nodes = [] }: { probeStorage?: () => Promise<void>; nodes?: NodeState[] } = {},
) {
  const { chain } = api.deps
  const config = { ...api.deps.config, ...settings }
  const relayer = createRelayerServices(api.deps.relayer.accounts, config)
  const sql = connectDatabase({ url: databaseUrl, max: 4 })
  const metrics = createMetrics()
  const readRelayers = () => readRelayerStates(sql, chain, relayer)
  const observe = createObservability({
    isLocal: false,
    config,
    sql,
    chain,
    readRelayers,
    readRunways: async () => readRelayerRunway(sql, await relayer.balances.read(chain)),
    readNodes: () => nodes,
    probeStorage,
    readExportAge: api.deps.exports.age,
    metrics,
  })
  const app = createApp({ ...onDatabase(api.deps, sql), config, observe })
  return { app, observe, stop: () => sql.end({ timeout: 0 }) }
}

/** Stores rounds of the books that found this, a moment ago. */
export async function storeRounds(
  api: TestApi,
  found: { sums: Difference[]; tasks: Difference[] },
  unread: SumsRound['unread'] = {},
): Promise<void> {
  const round = { block: '1', timestamp: String(START), suspects: [], unread: {} }
  const cursors = { vault: '', credit: '', requester: '' }
  const sums: SumsRound = { ...round, unread, differences: found.sums, assets: [], cursors }
  const tasks: TasksRound = { ...round, differences: found.tasks, cursor: null, startedAt: 0, rotationSeconds: 12 }
  for (const [part, state] of Object.entries({ sums, tasks })) {
    await api.sql`
      update service.audits set state = ${api.sql.json(state as never)}, compared_at = now() where part = ${part}`
  }
}
