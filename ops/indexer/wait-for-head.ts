import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Child } from '../process/child.ts'
import { findIndexedHead } from './indexed-head.ts'

export interface CatchUpOptions {
  sql: postgres.Sql
  schema: string
  child: Child
  /** Height of a block of the chain. */
  target: bigint
  log: (line: string) => void
  signal: AbortSignal
}

const pollMs = 50
const reportMs = 5000

/**
 * Waits until the rows are at a height, and returns the one they have. Ponder calls itself ready when its backfill is
 * done, which ends 30 blocks before the head.
 * @throws when Ponder ends first, or the wait is aborted
 */
export async function catchUp({ sql, schema, child, target, log, signal }: CatchUpOptions): Promise<bigint> {
  let reportAtMs = Date.now() + reportMs
  for (;;) {
    signal.throwIfAborted()
    const end = child.findEnd()
    if (end !== null) throw new Error(`Ponder ended with ${end.description} before it had caught up`)
    const indexed = await findIndexedHead(sql, schema)
    if (indexed?.isReady && indexed.blockNumber >= target) return indexed.blockNumber
    if (Date.now() >= reportAtMs) {
      log(`at block ${indexed?.blockNumber ?? 'none'} of ${target}`)
      reportAtMs += reportMs
    }
    await delay(pollMs)
  }
}
