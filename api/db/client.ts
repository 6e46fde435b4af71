import postgres, { type Sql, type TransactionSql } from 'postgres'
import { arrayTypes } from './array-types.ts'
import { withQueryTimeout } from './query-timeout.ts'
import { guardTransactions } from './transaction-guard.ts'

/**
 * The connection pool. `int8` and `numeric` values are bigints. Column names are in camelCase, but keys in JSON values
 * are unchanged.
 */
export type Database = Sql<{ bigint: bigint }> & {
  /**
   * The connections that keep query plans, for statements that find rows only by key. Such a statement takes longer to
   * plan than to run (measured: 5 ms and 1 ms). Statements and transactions of `byKey` use different connections.
   */
  byKey: Sql<{ bigint: bigint }>
  /**
   * Registers a listener for the end of a connection. The next connection may reach another server, so cached rows must
   * be read again.
   */
  onClose(listener: () => void): void
}
/** A transaction of a connection pool. */
export type Transaction = TransactionSql<{ bigint: bigint }>
/** A connection pool or a transaction: the argument of each function that runs a query. */
export type Queryable = Sql<{ bigint: bigint }> | Transaction

/**
 * Returns the part of a connection pool whose connections keep query plans (`byKey`). A transaction is returned
 * unchanged.
 */
export function keepingPlans(sql: Queryable): Queryable {
  return 'byKey' in sql ? (sql as Database).byKey : sql
}

export interface DatabaseOptions {
  url: string
  /** The largest number of connections in the pool; 24 by default. */
  max?: number
  /**
   * The time limit of a statement in milliseconds; 15,000 by default. It also limits how long a request waits for the
   * statement.
   */
  statementTimeoutMs?: number
  /** Receives the notices that the database raises, such as those about the steps of intents. */
  onNotice?: (notice: { message?: string; detail?: string }) => void
}

/** The database schema with the indexer's views. It follows the schema `service` in the search path. */
export const MARKET_SCHEMA = 'market'
/** The default time limit of one statement, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000
/**
 * The number of connections for statements outside a transaction whose query plans are kept (`byKey`). The number is
 * small on purpose. With few connections, the driver sends several statements together on one connection. Measured: the
 * service then answers 10 % more page requests.
 */
const MAX_BY_KEY = 2
/**
 * The number of connections for transactions whose query plans are kept (`byKey`). The number is small, because the
 * database server has only about a hundred connections for all processes.
 */
const MAX_TRANSACTIONS_BY_KEY = 6
/**
 * The milliseconds after which the server ends a session that is idle inside a transaction. The session's row locks are
 * then released.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 20_000
/**
 * The time limit of a whole transaction, in milliseconds. It must be longer than the longest request to a node that the
 * relayer sends inside a transaction.
 *
 * IDLE_IN_TRANSACTION_TIMEOUT_MS is not enough. If a process stops in the middle of a statement's messages, the session
 * does not count as idle.
 */
const TRANSACTION_TIMEOUT_MS = 30_000
/**
 * The milliseconds that a caller waits for an answer in addition to the statement's time limit. This time covers the
 * wait for a connection.
 */
const ANSWER_MARGIN_MS = 5_000
/** The longest wait before a new attempt to connect to the database, in seconds. The driver's default is 20. */
const LONGEST_BACKOFF_SECONDS = 1

/**
 * Opens the connection pool for the schemas `service` and `market`. A connection is opened when it is first needed. A
 * bigint parameter is sent as `int8`. A larger value must be a string with the cast `::numeric`.
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
 * Opens one set of connections.
 * @param planCacheMode `force_custom_plan`: each statement is planned with its values. For example, a search for a rare
 * word then takes 5 ms instead of 3 s. `force_generic_plan`: plans are kept.
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
        parse: (text: string) => BigInt(text),
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

/** The SQL states of a server that is unreachable, read-only or full. A wrong query does not cause them. */
const UNAVAILABLE_STATES = /^(08|53|57P|57014|25006|25P03|25P04)/

/** Returns true if an error means that the database cannot answer at present. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (error.name === 'PostgresError') return UNAVAILABLE_STATES.test(error.code)
  return /^(CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(error.code)
}

/** Returns true if an error is the violation of the unique index named `constraint`. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof postgres.PostgresError && error.code === '23505' && error.constraint_name === constraint
}
