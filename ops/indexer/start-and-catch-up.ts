import type postgres from 'postgres'
import { raiseFence, raiseRevertFence, withOrigin } from './fence.ts'
import { type IndexerLock, releaseDeadPonder } from './indexer-lock.ts'
import { type Ponder, type PonderOptions, readPonderLog, startPonder } from './ponder-process.ts'
import { beginRecovery, endRecovery } from './recovery.ts'
import { findServedSchema, serveSchema } from './views-schema.ts'
import { catchUp } from './wait-for-head.ts'

export interface StartAndCatchUpOptions {
  sql: postgres.Sql
  lock: IndexerLock
  ponder: PonderOptions
  readHead: () => Promise<bigint>
  log: (line: string) => void
  signal: AbortSignal
}

export interface RunningPonder {
  ponder: Ponder
  /** The session of the lock that its commits depend on. */
  session: string
}

/**
 * Starts Ponder and resolves when its rows are at the chain's height and the views of `market` show them. Until then
 * the views stay with the deployment before; where there is none they show this one as it grows.
 * @throws when it ends first, with the end of its log; nothing of it runs then
 */
export async function startAndCatchUp({
  sql,
  lock,
  ponder: options,
  readHead,
  log,
  signal,
}: StartAndCatchUpOptions): Promise<RunningPonder> {
  const { schema } = options
  const startedAtMs = Date.now()
  const session = await lock.findSession()
  if (session === null) throw new Error(`another indexer has taken over ${schema}`)
  await raiseFence(sql, schema, session)
  const recoversTo = await beginRecovery(sql, schema)
  await releaseDeadPonder(sql, schema)
  const ponder = await startPonder({ ...options, databaseUrl: withOrigin(options.databaseUrl, session) })
  try {
    await raiseRevertFence(sql, schema)
    if ((await findServedSchema(sql)) === null) await serveSchema(sql, schema)
    const wait = (target: bigint) => catchUp({ sql, schema, child: ponder.child, target, log, signal })
    const head = await readHead()
    if (recoversTo !== null) {
      // After a reorg, or on a chain that was reset, the head may be the lower one.
      const isReached = recoversTo <= head
      await wait(isReached ? recoversTo : head)
      await endRecovery(sql, schema)
    }
    const blockNumber = await wait(await readHead())
    await serveSchema(sql, schema)
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
