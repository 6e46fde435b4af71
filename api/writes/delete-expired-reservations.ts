import { deleteExpiredReservations } from '../intents/intents.queries.ts'
import type { WriteDeps } from './write-deps.ts'

const SWEEP_EVERY_MS = 30_000
const BATCH_SIZE = 1_000

/**
 * Deletes one batch of expired reservations. A reservation contains an idempotency key but no payment, so no payment is
 * lost.
 * @returns the pause in milliseconds until the next run
 */
export async function deleteExpiredReservationsRun({ sql, log }: WriteDeps): Promise<number> {
  const deletedCount = await deleteExpiredReservations(sql, BATCH_SIZE)
  if (deletedCount > 0) log.info({ deleted: deletedCount }, 'expired reservations removed')
  return deletedCount === BATCH_SIZE ? 0 : SWEEP_EVERY_MS
}
