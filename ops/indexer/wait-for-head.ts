import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Child } from '../process/child.ts'
import { findIndexedHead } from './indexed-head.ts'

export interface CatchUpOptions {
  sql: postgres.Sql
  schema: string
  child: Child
  /**
   * Returns the height to wait for. The wait calls this function every few seconds, because a node may have reported a
   * wrong height.
   */
  readTarget: () => Promise<bigint>
  log: (line: string) => void
  signal: AbortSignal
}

const pollMs = 50
const reportMs = 5000

/**
 * Waits until the rows are at the target height. Ponder reports readiness too early: at the end of the backfill, when
 * the rows are still about 30 blocks behind the latest block.
 * @returns the height of the rows
 * @throws if Ponder ends first, or if the wait is aborted
 */
export async function catchUp({ sql, schema, child, readTarget, log, signal }: CatchUpOptions): Promise<bigint> {
  let target = await readTarget()
  let reportAtMs = Date.now() + reportMs
  for (;;) {
    signal.throwIfAborted()
    const end = child.findEnd()
    if (end !== null) throw new Error(`Ponder ended with ${end.description} before it had caught up`)
    const indexedHead = await findIndexedHead(sql, schema)
    if (indexedHead?.isReady && indexedHead.blockNumber >= target) return indexedHead.blockNumber
    if (Date.now() >= reportAtMs) {
      log(`at block ${indexedHead?.blockNumber ?? 'none'} of ${target}`)
      reportAtMs += reportMs
      const now = await readTarget().catch(() => target)
      if (now < target) target = now
    }
    await delay(pollMs)
  }
}
