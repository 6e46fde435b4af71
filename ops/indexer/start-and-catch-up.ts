import type postgres from 'postgres'
import { releaseDeadPonder } from './indexer-lock.ts'
import { type Ponder, type PonderOptions, readPonderLog, startPonder } from './ponder-process.ts'
import { findServedSchema, serveSchema } from './views-schema.ts'
import { catchUp } from './wait-for-head.ts'

export interface StartAndCatchUpOptions {
  sql: postgres.Sql
  ponder: PonderOptions
  readHead: () => Promise<bigint>
  log: (line: string) => void
  signal: AbortSignal
}

/**
 * Starts Ponder and resolves when its rows are at the chain's height and the views of `market` show them. Until then
 * the views stay with the deployment before; where there is none they show this one as it grows.
 * @throws when it ends first, with the end of its log; nothing of it runs then
 */
export async function startAndCatchUp({
  sql,
  ponder: options,
  readHead,
  log,
  signal,
}: StartAndCatchUpOptions): Promise<Ponder> {
  const { schema } = options
  const startedAtMs = Date.now()
  await releaseDeadPonder(sql, schema)
  const ponder = await startPonder(options)
  try {
    if ((await findServedSchema(sql)) === null) await serveSchema(sql, schema)
    const blockNumber = await catchUp({ sql, schema, child: ponder.child, readHead, log, signal })
    await serveSchema(sql, schema)
    log(`${schema} is served, at block ${blockNumber} after ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
    return ponder
  } catch (error) {
    await ponder.child.stop()
    if (signal.aborted) throw error
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(`${cause}\n${readPonderLog(ponder.child)}`, { cause: error })
  }
}
