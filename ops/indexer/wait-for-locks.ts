import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/**
 * Range in milliseconds of the lock timeout of one attempt. A pause of the same length after a failed attempt lets
 * queued readers continue.
 *
 * A short timeout ends the deadlock with a reader that waits for a lock of this transaction. A long timeout outlasts a
 * slow reader. Every timeout is below PostgreSQL's `deadlock_timeout` of one second. If the deadlock lasted for one
 * second, the server would end the transaction or the reader.
 */
const LOCK_TIMEOUT_MS = { shortest: 50, longest: 700 }
const GIVE_UP_AFTER_MS = 120_000

/** PostgreSQL error codes of a lock timeout (55P03) and of a deadlock (40P01). */
const lockFailures = ['55P03', '40P01']

/**
 * Thrown by a transaction that cannot make its change yet. The transaction is then tried again, as after a lock
 * timeout.
 */
export class NotYet extends Error {
  override name = 'NotYet'
}

/**
 * Runs a transaction that locks tables or views while readers use them. Each attempt waits less than a second for a
 * lock. Readers that queue behind the attempt are delayed by at most the same time.
 * @throws if no attempt gets its locks within two minutes; nothing is changed then
 */
export async function retryOnLockTimeout(
  sql: postgres.Sql,
  change: (transaction: postgres.TransactionSql) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const lockTimeoutMs = chooseLockTimeout()
    try {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
        await change(transaction)
      })
      return
    } catch (error) {
      if (!mayBeRetried(error)) throw error
      if (performance.now() - startedAt > GIVE_UP_AFTER_MS) throw new AlwaysLocked(error)
      await delay(lockTimeoutMs)
    }
  }
}

function mayBeRetried(error: unknown): error is Error {
  return error instanceof NotYet || (error instanceof postgres.PostgresError && lockFailures.includes(error.code))
}

/**
 * Chooses a random lock timeout. The logarithm of the timeout is evenly distributed. Example: a timeout of 50 to 100 ms
 * is as likely as a timeout of 350 to 700 ms.
 */
function chooseLockTimeout(): number {
  const { shortest, longest } = LOCK_TIMEOUT_MS
  return Math.round(shortest * (longest / shortest) ** Math.random())
}

class AlwaysLocked extends Error {
  constructor(cause: Error) {
    super(
      `no lock in ${GIVE_UP_AFTER_MS / 1000} s, and nothing was changed: end the sessions that read for more than a second ` +
        '(SELECT pid, usename, xact_start, query FROM pg_stat_activity WHERE xact_start IS NOT NULL ORDER BY xact_start), ' +
        `and start again (${cause.message})`,
      { cause },
    )
    this.name = 'AlwaysLocked'
  }
}
