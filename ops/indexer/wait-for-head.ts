import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Child } from '../process/child.ts'
import { findIndexedHead } from './indexed-head.ts'

export interface CatchUpOptions {
  sql: postgres.Sql
  schema: string
  child: Child
  /** The height to wait for. Asked again from time to time: a node may have told one that there is not. */
  readTarget: () => Promise<bigint>
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
export async function catchUp({ sql, schema, child, readTarget, log, signal }: CatchUpOptions): Promise<bigint> {
  let target = await readTarget()
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
      const now = await readTarget().catch(() => target)
      if (now < target) target = now
    }
    await delay(pollMs)
  }
}
