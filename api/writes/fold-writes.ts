import { deleteChargesOfEndedTasks } from '../artifacts/byte-charges.queries.ts'
import { foldWrites, openFolding } from '../intents/fold-writes.queries.ts'
import type { WriteDeps } from './write-deps.ts'

const POLL_INTERVAL_MS = 600_000
const BATCH_SIZE = 200

/**
 * Clears, in batches, those fields of old completed writes which no later request reads. Also deletes the rows that
 * count the stored bytes of ended tasks.
 * @returns the pause in milliseconds until the next run
 */
export async function foldWritesRun(
  { sql, log }: Pick<WriteDeps, 'sql' | 'log'>,
  stopping: AbortSignal,
): Promise<number> {
  const foldedCount = (await openFolding(sql))
    ? await runBatches(() => foldWrites(sql, { limit: BATCH_SIZE }), stopping)
    : 0
  const deletedCount = await runBatches(() => deleteChargesOfEndedTasks(sql, { limit: BATCH_SIZE }), stopping)
  if (foldedCount + deletedCount > 0)
    log.info({ folded: foldedCount, deletedCharges: deletedCount }, 'old writes folded')
  return POLL_INTERVAL_MS
}

async function runBatches(batch: () => Promise<number>, stopping: AbortSignal): Promise<number> {
  let total = 0
  for (let count = BATCH_SIZE; count === BATCH_SIZE && !stopping.aborted; total += count) count = await batch()
  return total
}
