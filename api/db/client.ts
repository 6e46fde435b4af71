import postgres, { type Sql, type TransactionSql } from 'postgres'
import { arrayTypes } from './array-types.ts'
import { withQueryTimeout } from './query-timeout.ts'
import { guardTransactions } from './transaction-guard.ts'

/** The pool. `int8` and `numeric` are bigint, columns are in camelCase; keys inside json columns stay unchanged. */
export type Database = Sql<{ bigint: bigint }> & {
  /**
   * The connections that keep plans, for statements that find rows by key alone. Their plan is the same for all values,
   * and takes longer to make than to run (measured: 5 ms against 1 ms). Its transactions have separate connections.
   */
  byKey: Sql<{ bigint: bigint }>
  /**
   * Registers a listener for ended connections of either pool. The next connection may reach another server, so cached
   * rows must be read again.
   */
  onClose(listener: () => void): void
}
/** A transaction of the pool. */
export type Transaction = TransactionSql<{ bigint: bigint }>
/** A pool or a transaction, the argument of a query. */
export type Queryable = Sql<{ bigint: bigint }> | Transaction

/** Returns the connections of a pool that keep plans; a transaction is returned unchanged. */
export function keepingPlans(sql: Queryable): Queryable {
  return 'byKey' in sql ? (sql as Database).byKey : sql
}

export interface DatabaseOptions {
  url: string
  /** The most connections; default 24. */
  max?: number
  /** The time limit of a statement, which also bounds a request's wait for one. Default 15 s. */
  statementTimeoutMs?: number
  /** Receives the notices of the database: steps of intents. */
  onNotice?: (notice: { message?: string; detail?: string }) => void
}

/** The schema of the indexer's views, after `service` in the search path. */
export const MARKET_SCHEMA = 'market'
/** The time limit of one statement. */
const STATEMENT_TIMEOUT_MS = 15_000
/**
 * The connections that keep plans: their statements are short, and batch on few connections (measured: a tenth more
 * pages).
 */
const MAX_BY_KEY = 2
/** The connections for transactions, which may wait for a row: a server has a hundred for all processes. */
const MAX_TRANSACTIONS_BY_KEY = 6
/** The time after which a stopped process loses its session and its row locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 20_000
/**
 * The time limit of a whole transaction. A process stopped between two messages of one statement is not idle for the
 * server, which would wait for ever. It is longer than the relay's node request inside a transaction; it needs Postgres
 * 17.
 */
const TRANSACTION_TIMEOUT_MS = 30_000
/** The wait for an answer beyond its statement's limit, including the wait for a connection. */
const ANSWER_MARGIN_MS = 5_000
/** The longest wait before a reconnection, seconds; the driver's default is 20. */
const LONGEST_BACKOFF_SECONDS = 1

/**
 * Opens the pool for both schemas; it connects lazily.
 *
 * A bigint parameter is sent as `int8`: a larger value must be a string with a `::numeric` cast.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  const listeners: (() => void)[] = []
  const onclose = () => {
    for (const listener of listeners) listener()
  }
  const sql = openPool({ ...options, onclose }, 'force_custom_plan')
  const openByKey = (most: number) =>
    openPool({ ...options, max: Math.min(options.max ?? most, most), onclose }, 'force_generic_plan')
  const [statements, transactions] = [openByKey(MAX_BY_KEY), openByKey(MAX_TRANSACTIONS_BY_KEY)]
  const byKey = Object.assign(statements, { begin: transactions.begin.bind(transactions) })
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    byKey,
    onClose: (listener: () => void) => {
      listeners.push(listener)
    },
    end: async (how?: { timeout?: number }) => {
      await Promise.all([end(how), byKey.end(how), transactions.end(how)])
    },
  })
}

/**
 * Opens one pool. @param planCacheMode `force_custom_plan`: a plan without the values would mistake a common word or
 * status for a rare one (measured: 3 s instead of 5 ms)
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
      // Overrides the role's default: steps of intents are notices.
      client_min_messages: 'notice',
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      transaction_timeout: TRANSACTION_TIMEOUT_MS,
      plan_cache_mode: planCacheMode,
      // Twenty look-ups by key are faster than a scan of some thousand agents, which the default considers cheaper.
      ...(planCacheMode === 'force_generic_plan' && { random_page_cost: '1.1' }),
      // Starting workers costs more than our pages of rows. It is a text, because the driver omits a zero.
      max_parallel_workers_per_gather: '0',
    },
  })
  return withQueryTimeout(guardTransactions(sql), statementTimeoutMs + ANSWER_MARGIN_MS)
}

/** The classes of SQL states for an unreachable, read-only or full server, as opposed to a wrong query. */
const UNAVAILABLE_STATES = /^(08|53|57P|57014|25006|25P03|25P04)/

/** Returns true if an error means that the database could not answer now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (error.name === 'PostgresError') return UNAVAILABLE_STATES.test(error.code)
  return /^(CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(error.code)
}

/** Returns true for a violation of the named unique index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof postgres.PostgresError && error.code === '23505' && error.constraint_name === constraint
}
