import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/** A statement waits this long for a lock, milliseconds: others queue behind it. Then it lets them by for as long. */
const LOCK_TIMEOUT_MS = 500
const ATTEMPTS = 120

/** Postgres error code. */
const lockNotAvailable = '55P03'

/**
 * Runs a transaction that locks tables or views that are in use. It gives up each attempt after half a second, so that
 * readers behind it wait no longer.
 * @throws when it gets no lock for a minute and more; nothing is changed then
 */
export async function retryOnLockTimeout(
  sql: postgres.Sql,
  change: (transaction: postgres.TransactionSql) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
        await change(transaction)
      })
      return
    } catch (error) {
      const isLocked = error instanceof postgres.PostgresError && error.code === lockNotAvailable
      if (!isLocked || attempt === ATTEMPTS) throw error
      await delay(LOCK_TIMEOUT_MS)
    }
  }
}
