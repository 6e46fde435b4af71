import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/**
 * An attempt waits this long for a lock, milliseconds: others queue behind it. Then it lets them by for as long. Attempts of many
 * lengths: a short one ends the wait for a reader that waits for a lock of this transaction, a long one outlasts a slow reader. None
 * is as long as `deadlock_timeout` (1 s), after which the server ends one of two that wait for each other, and it may be the reader.
 */
const LOCK_TIMEOUT_MS = { shortest: 50, longest: 700 }
const GIVE_UP_AFTER_MS = 120_000

/** Postgres error codes of a lock timeout, and of a deadlock. */
const lockFailures = ['55P03', '40P01']

/** Thrown by a change that cannot be made yet. It is retried like a lock timeout. */
export class NotYet extends Error {
  override name = 'NotYet'
}

/**
 * Runs a transaction that locks tables or views in use. It aborts each attempt after at most a second, which bounds the wait of
 * readers behind it.
 * @throws if it gets no lock for two minutes; nothing is changed then
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

/** Chooses a lock timeout, as often below the middle of the range, in the logarithm, as above it. */
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
