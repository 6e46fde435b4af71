import postgres, { type Sql, type TransactionSql } from 'postgres'
import { arrayTypes } from './array-types.ts'
import { withQueryTimeout } from './query-timeout.ts'
import { guardTransactions } from './transaction-guard.ts'

/** The pool. `int8` and `numeric` come as bigint, columns in camelCase; keys inside json columns stay as they are. */
export type Database = Sql<{ bigint: bigint }> & {
  /**
   * Connections that keep a plan: for statements that find rows by their keys and by nothing else, whose plan is the
   * same whatever the values, and takes longer to make than to follow (measured: 5 ms against 1 ms).
   */
  byKey: Sql<{ bigint: bigint }>
  /**
   * Has `listener` called whenever a connection of either pool has ended. What is kept of the rows of before may be of
   * another server than the next connection's: everything is to be read again.
   */
  onClose(listener: () => void): void
}
/** A transaction of it. */
export type Transaction = TransactionSql<{ bigint: bigint }>
/** Either: what a query takes. */
export type Queryable = Sql<{ bigint: bigint }> | Transaction

/** The connections of a pool that keep plans. Statements of a transaction stay in it. */
export function keepingPlans(sql: Queryable): Queryable {
  return 'byKey' in sql ? (sql as Database).byKey : sql
}

export interface DatabaseOptions {
  url: string
  /** Largest number of connections; default 24. */
  max?: number
  /** A statement that takes longer is ended: no request waits longer for one. Default 15 s. */
  statementTimeoutMs?: number
  /** Gets what the database tells a connection besides its answers: steps of intents. */
  onNotice?: (notice: { message?: string; detail?: string }) => void
}

/** Schema of the indexer's views; found after `service` in the search path. */
export const MARKET_SCHEMA = 'market'
/** A request waits no longer for one statement. */
const STATEMENT_TIMEOUT_MS = 15_000
/** Connections that keep plans: a server has a hundred for all processes, and these statements take a moment. */
const MAX_BY_KEY = 8
/** A stopped process must not keep the rows it locked: its session ends, and the next one goes on. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 20_000
/**
 * The bound of a whole transaction. A process stopped between two messages of one statement is not idle for the server,
 * which would wait for it for ever. Longer than the relay asks a node within one; Postgres 17 or newer.
 */
const TRANSACTION_TIMEOUT_MS = 30_000
/** How much longer than its statement may take an answer is waited for, a wait for a connection included. */
const ANSWER_MARGIN_MS = 5_000
/** Longest wait before a lost connection is tried again, seconds; the driver's own is 20. */
const LONGEST_BACKOFF_SECONDS = 1

/**
 * Opens the pool both schemas are read and written through. Connects lazily.
 *
 * A bigint parameter is sent as `int8`: a value that may be larger goes as a string with a `::numeric` cast.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  const listeners: (() => void)[] = []
  const onclose = () => {
    for (const listener of listeners) listener()
  }
  const sql = openPool({ ...options, onclose }, 'force_custom_plan')
  const max = Math.min(options.max ?? MAX_BY_KEY, MAX_BY_KEY)
  const byKey = openPool({ ...options, max, onclose }, 'force_generic_plan')
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    byKey,
    onClose: (listener: () => void) => {
      listeners.push(listener)
    },
    end: async (how?: { timeout?: number }) => {
      await Promise.all([end(how), byKey.end(how)])
    },
  })
}

/**
 * @param planCacheMode `force_custom_plan`: a plan made without the values takes a common word or status for a rare one
 * (measured: 3 s instead of 5 ms)
 */
function openPool(
  options: DatabaseOptions & { onclose: () => void },
  planCacheMode: 'force_custom_plan' | 'force_generic_plan',
) {
  const { url, max = 24, statementTimeoutMs = STATEMENT_TIMEOUT_MS, onNotice = () => {} } = options
  const sql = postgres(url, {
    max,
    connect_timeout: 5,
    backoff: (retries: number) => Math.min(2 ** retries / 100, LONGEST_BACKOFF_SECONDS),
    onnotice: onNotice,
    onclose: options.onclose,
    fetch_types: false,
    types: {
      ...arrayTypes,
      bigint: {
        to: 20,
        // int8 and numeric. Every numeric column is a whole number; a fraction needs a cast to float8 in its query.
        from: [20, 1700],
        parse: (raw: string) => BigInt(raw),
        serialize: (value: bigint) => value.toString(),
      },
    },
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: {
      application_name: 'task-market-api',
      search_path: `service,${MARKET_SCHEMA}`,
      statement_timeout: statementTimeoutMs,
      // Whatever the role's default is: steps of intents come as notices.
      client_min_messages: 'notice',
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      transaction_timeout: TRANSACTION_TIMEOUT_MS,
      plan_cache_mode: planCacheMode,
      // Starting workers costs more than our pages of rows do. Text: the driver leaves a zero out.
      max_parallel_workers_per_gather: '0',
    },
  })
  return withQueryTimeout(guardTransactions(sql), statementTimeoutMs + ANSWER_MARGIN_MS)
}

/** Classes of SQL states that say the server is not there, not writable or full, rather than that a query is wrong. */
const UNAVAILABLE_STATES = /^(08|53|57P|57014|25006|25P03|25P04)/

/** Whether an error means that the database could not answer now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (error.name === 'PostgresError') return UNAVAILABLE_STATES.test(error.code)
  return /^(CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(error.code)
}

/** Whether an error is a violation of the named unique index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof postgres.PostgresError && error.code === '23505' && error.constraint_name === constraint
}
