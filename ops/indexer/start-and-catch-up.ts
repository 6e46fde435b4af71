import postgres from 'postgres'
import { compareRows } from './compare-rows.ts'
import { raiseFence, raiseRevertFence, withOrigin } from './fence.ts'
import { readGeneration } from './generation.ts'
import type { NodeHead } from './indexed-head.ts'
import { type IndexerLock, releaseDeadPonder } from './indexer-lock.ts'
import type { IndexerMetrics } from './indexer-metrics.ts'
import { type Ponder, type PonderOptions, ponderUrl, readPonderLog, startPonder } from './ponder-process.ts'
import { endRecovery, findRecoveryHeight } from './recovery.ts'
import { findServedSchema, serveSchema } from './views-schema.ts'
import { catchUp } from './wait-for-head.ts'

/**
 * Time limit in milliseconds for the new rows to reach the block of the served rows. Usually the wait is short, because
 * two running indexers are seldom more than a block apart. If the indexer of the served rows died before a reorg, the
 * served rows can stay ahead of the chain for a long time. The limit then ends the wait.
 */
const MAY_CATCH_UP_MS = 10_000

export interface StartAndCatchUpOptions {
  sql: postgres.Sql
  lock: IndexerLock
  ponder: PonderOptions
  generation: number
  readHead: () => Promise<NodeHead>
  log: (line: string) => void
  signal: AbortSignal
  metrics: Pick<IndexerMetrics, 'started' | 'ended'>
}

export interface RunningPonder {
  ponder: Ponder
  /**
   * The database session that holds the lock, `<process id>/<start>`. Ponder's commits succeed only while this session
   * exists.
   */
  session: string
}

/**
 * Starts Ponder, and resolves when the rows are at the chain's height and the views of `market` show them. Until then,
 * the views show the previous deployment. Without a previous deployment, the views show the unfinished new rows.
 * @throws with the end of Ponder's log if Ponder ends first; no process of Ponder runs then
 */
export async function startAndCatchUp({
  sql,
  lock,
  ponder: options,
  generation,
  readHead,
  log,
  signal,
  metrics,
}: StartAndCatchUpOptions): Promise<RunningPonder> {
  const { schema } = options
  const startedAtMs = Date.now()
  const session = await lock.findSession()
  if (session === null) throw new Error(`another indexer has taken over ${schema}`)
  await raiseFence(sql, schema, session)
  await releaseDeadPonder(sql, schema)
  const ponder = await startPonder({ ...options, databaseUrl: withOrigin(options.databaseUrl, session) })
  metrics.started({ url: ponderUrl(options.host, ponder.port), token: ponder.metricsToken })
  ponder.child.ended.then(metrics.ended)
  try {
    await raiseRevertFence(sql, schema)
    const servedSchema = await findServedSchema(sql)
    const serve = async () => {
      for (const leftOut of await serveSchema(sql, schema, { generation, mayCatchUpMs: MAY_CATCH_UP_MS })) log(leftOut)
    }
    if (servedSchema === null) await serve()
    const readHeight = async () => (await readHead()).number
    const wait = (readTarget: () => Promise<bigint>) =>
      catchUp({ sql, schema, child: ponder.child, readTarget, log, signal })
    const recoversTo = await findRecoveryHeight(sql, schema)
    if (recoversTo !== null) {
      // After a reorg, or on a reset chain, the head may be lower.
      await wait(async () => smaller(recoversTo, await readHeight()))
      await endRecovery(sql, schema)
    }
    const blockNumber = await wait(readHeight)
    if (servedSchema !== null && servedSchema !== schema && generation > (await readGeneration(sql))) {
      log(await describeRepair(options.databaseUrl, { before: servedSchema, after: schema }))
    }
    await serve()
    await endRecovery(sql, schema)
    log(`${schema} is served, at block ${blockNumber} after ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
    return { ponder, session }
  } catch (error) {
    await ponder.child.stop()
    if (signal.aborted) throw error
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(`${cause}\n${readPonderLog(ponder.child)}`, { cause: error })
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/**
 * Compares the served rows (schema `before`) with the repaired rows, which will replace them (schema `after`). Returns
 * a line for the log that describes the differences.
 */
async function describeRepair(url: string, schemas: { before: string; after: string }): Promise<string> {
  // An own connection: the others abort a statement that takes as long as this one may.
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  const differences = await compareRows(sql, schemas).finally(() => sql.end({ timeout: 5 }))
  if (differences === null) return `${schemas.before} stands still, so its rows were not compared with the new ones`
  const tables = differences.map(({ table, rows }) => `${table} ${rows}`).join(', ')
  return `indexed again; rows that differ from ${schemas.before}: ${tables === '' ? 'none' : tables}`
}
