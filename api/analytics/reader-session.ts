import { connect, type Socket } from 'node:net'
import { Client, type CustomTypesConfig, type QueryArrayConfig } from 'pg'
import { hasOptionalTls } from '../../settings/pg-tls.ts'
import type { Column, TextRow } from '../tabular/column-types.ts'
import { valueSettings } from '../tabular/value-settings.ts'
import { QueryFailed } from './query-failure.ts'

/**
 * The database from which the analysts' queries are answered. Unqualified table names are looked up in `schema` first.
 */
export interface ReaderDatabase {
  url: string
  schema: string
}

/**
 * The state of the indexed data that an answer shows: the newest block that was indexed when the answer's rows were
 * read, and the indexer deployment that wrote the rows.
 */
export interface Snapshot {
  blockNumber: bigint
  /** The block's timestamp in Unix seconds. */
  blockTimestamp: bigint
  schemaVersion: string
}

export interface TextRows {
  columns: Column[]
  rows: TextRow[]
}

/** The read-only transaction in which an analyst's query runs. */
export interface ReaderSession {
  /** The newest block whose events are in the rows that this session reads. Null if no block is indexed yet. */
  snapshot: Snapshot | null
  /** Runs a statement of this service. It uses PostgreSQL's simple query protocol. */
  run(statement: string): Promise<TextRows>
  /**
   * Runs a statement that contains a client's text. Uses PostgreSQL's extended query protocol, so the client's text
   * cannot add a second statement.
   */
  runOne(statement: string, parameters: readonly (string | null)[]): Promise<TextRows>
}

const HOW_TO_PREPARE = 'the operator finds what to set in docs/operate/standby.md'

/**
 * Returns the PostgreSQL settings of a session. They include the time limits. The process `ops/standby` ends a session
 * that exceeds the time limits.
 */
function serverSettings({ schema }: ReaderDatabase, deadlineMs: number) {
  return {
    default_transaction_read_only: 'on',
    statement_timeout: String(deadlineMs),
    // It is longer than `statement_timeout`, which ends the statement and keeps the connection.
    transaction_timeout: String(deadlineMs + 1_000),
    lock_timeout: '2000',
    // While the server computes, it checks once a second whether its client is still connected.
    client_connection_check_interval: '1000',
    ...valueSettings,
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    work_mem: '16MB',
    role: 'none',
    search_path: `${schema},analytics`,
  }
}

/** The time for which an idle connection remains open, in milliseconds. */
const KEPT_MS = 10_000

/** The database connection of an engine process. It runs one transaction at a time. */
export interface Reader {
  /**
   * Runs `work` in a read-only transaction. Afterwards PostgreSQL discards the session's state (settings, locks,
   * cursors). A connection whose query failed is closed.
   * @param options.maxBytes the bytes that the server may send for one statement
   * @param options.signal cancels the running statement
   * @throws QueryFailed `unavailable` if the server is not a standby or has no read model; `limit` if the server sends
   * too many bytes
   * @throws an error of the server or of the connection
   */
  transaction<Result>(
    database: ReaderDatabase,
    options: { deadlineMs: number; maxBytes: number; signal: AbortSignal },
    work: (session: ReaderSession) => Promise<Result>,
  ): Promise<Result>
}

export function createReader(): Reader {
  /** The open database connection that no transaction uses, with its settings; null if there is none. */
  let idleConnection: { connection: Connection; settings: string; timer: NodeJS.Timeout } | null = null

  /**
   * Begins a transaction on the idle connection. If the server has closed this connection, or if it was opened with
   * other settings, opens a new connection.
   */
  const begin = async (database: ReaderDatabase, deadlineMs: number): Promise<Connection> => {
    const settings = JSON.stringify([database, deadlineMs])
    const before = idleConnection
    idleConnection = null
    if (before !== null) {
      clearTimeout(before.timer)
      const hasBegun = before.settings === settings && (await before.connection.run(BEGIN).catch(() => null))
      if (hasBegun) return before.connection
      before.connection.close()
    }
    const connection = await openConnection(database, deadlineMs)
    await connection.run(BEGIN).catch((error: unknown) => {
      connection.close()
      throw error
    })
    return connection
  }
  const keep = (connection: Connection, settings: string) => {
    const timer = setTimeout(() => {
      idleConnection = null
      connection.close()
    }, KEPT_MS)
    idleConnection = { connection, settings, timer }
  }

  return {
    transaction: async (database, { deadlineMs, maxBytes, signal }, work) => {
      const connection = await begin(database, deadlineMs)
      signal.addEventListener('abort', connection.cancel)
      try {
        signal.throwIfAborted()
        const run = (statement: Statement) => connection.run(statement, maxBytes)
        const result = await work({
          snapshot: await readHead(run),
          run: (text) => run({ text }),
          runOne: (text, values) => run({ text, values: [...values], queryMode: 'extended' }),
        })
        await forget(connection)
        // A cancellation may still be on its way to the server; it must not reach another client's query.
        signal.throwIfAborted()
        keep(connection, JSON.stringify([database, deadlineMs]))
        return result
      } catch (error) {
        connection.close()
        throw error
      } finally {
        signal.removeEventListener('abort', connection.cancel)
      }
    },
  }
}

async function forget(connection: Connection): Promise<void> {
  await connection.run({ text: 'ROLLBACK' })
  await connection.run({ text: 'DISCARD ALL' })
}

const BEGIN: Statement = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }

interface Connection {
  /**
   * Runs a statement.
   * @param maxBytes the bytes that the server may send for the statement
   */
  run(statement: Statement, maxBytes?: number): Promise<TextRows>
  /** Requests the server to cancel the running statement. */
  cancel(): void
  close(): void
}

async function openConnection(database: ReaderDatabase, deadlineMs: number): Promise<Connection> {
  const options = Object.entries(serverSettings(database, deadlineMs)).map(([name, value]) => `-c ${name}=${value}`)
  const client = new Client({
    connectionString: database.url,
    ...(hasOptionalTls() && { ssl: false }),
    application_name: 'task-market-sql',
    connectionTimeoutMillis: 5_000,
    options: options.join(' '),
  })
  // The waiting statement fails as well. Without this listener the error would end the process.
  client.on('error', () => {})
  const close = () => {
    client.end().catch(() => {})
  }
  await client.connect().catch((error: unknown) => {
    close()
    throw error
  })
  const bytes = countBytes(client)
  return {
    run: async (statement, maxBytes = Number.POSITIVE_INFINITY) => {
      bytes.begin(maxBytes)
      const [outcome] = await Promise.allSettled([readRows(client, statement)])
      if (bytes.isExceeded()) throw tooMuchAtOnce()
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
    cancel: () => cancelStatement(client),
    close,
  }
}

/**
 * Selects one row: the kind of server and the newest indexed block.
 *
 * `schema_version` is read through JSON, because earlier versions of the view `indexed_head` lack this column.
 */
const HEAD = `
  SELECT pg_is_in_recovery(), current_setting('is_superuser')::boolean,
    block_number, block_timestamp, to_jsonb(indexed_head) ->> 'schema_version'
  FROM (SELECT 1) AS always LEFT JOIN indexed_head ON true`

async function readHead(run: (statement: Statement) => Promise<TextRows>): Promise<Snapshot | null> {
  const { rows } = await run({ text: HEAD }).catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : String(error)
    throw new QueryFailed({
      kind: 'unavailable',
      message: 'The read model cannot be read now; try again shortly.',
      cause,
    })
  })
  const [isStandby, isSuperuser, number, timestamp, schemaVersion] = rows[0] ?? []
  if (isStandby !== 't')
    throw unfit('READER_DATABASE_URL leads to a primary, and SQL of strangers runs on a standby only')
  if (isSuperuser !== 'f') throw unfit('READER_DATABASE_URL names a superuser')
  if (typeof number !== 'string' || typeof timestamp !== 'string') return null
  return { blockNumber: BigInt(number), blockTimestamp: BigInt(timestamp), schemaVersion: schemaVersion ?? '' }
}

function unfit(why: string): QueryFailed {
  return new QueryFailed({ kind: 'unavailable', message: `Analysts' SQL is off: ${why}; ${HOW_TO_PREPARE}.` })
}

/**
 * Returns the failure for a query if the setting READER_DATABASE_URL is missing, so there is no database for queries of
 * analysts.
 */
export function noReader(): QueryFailed {
  return unfit('READER_DATABASE_URL is not set')
}

function tooMuchAtOnce(): QueryFailed {
  return new QueryFailed({
    kind: 'limit',
    message: 'The answer has rows that are too large: ask for parts of their values.',
  })
}

/** Private fields of the database driver: the socket, and the ids of the session on the server. */
interface DriverInternals {
  connection: { stream: Socket }
  processID: number
  secretKey: number
  host: string
  port: number
}

/**
 * Requests the server, on a separate connection, to cancel the session's statement (PostgreSQL, "Canceling Requests").
 */
function cancelStatement(client: Client): void {
  const { processID, secretKey, host, port } = client as unknown as DriverInternals
  const request = Buffer.alloc(16)
  for (const [index, part] of [16, 80_877_102, processID, secretKey].entries()) request.writeInt32BE(part, index * 4)
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  // An unreachable server has ended the statement.
  socket.on('error', () => {})
  socket.on('connect', () => socket.end(request))
}

/**
 * Counts the bytes that the server sends. If the bytes for one statement exceed the limit that was passed to `begin`,
 * closes the connection. Reason: the driver keeps all bytes of a statement in memory.
 */
function countBytes(client: Client) {
  const socket = (client as unknown as DriverInternals).connection.stream
  let bytes = 0
  let maxBytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) socket.destroy()
  })
  return {
    begin: (most: number) => {
      bytes = 0
      maxBytes = most
    },
    isExceeded: () => bytes > maxBytes,
  }
}

interface Statement {
  text: string
  values?: (string | null)[]
  queryMode?: 'extended'
}

/** The options of a query. The driver's types lack some of them. */
interface RowsConfig extends QueryArrayConfig, Statement {
  values?: (string | null)[]
}

/** The type conversion that returns each value as the server's text. */
const textTypes: CustomTypesConfig = { getTypeParser: () => (value: string) => value }

async function readRows(client: Client, statement: Statement): Promise<TextRows> {
  const config: RowsConfig = { ...statement, rowMode: 'array', types: textTypes }
  const { fields, rows } = await client.query<TextRow>(config)
  return { columns: fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID })), rows }
}
