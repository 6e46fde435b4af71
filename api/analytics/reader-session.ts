import { connect, type Socket } from 'node:net'
import { Client, type ClientConfig, type CustomTypesConfig, type QueryArrayConfig } from 'pg'

/** Where readers connect, and the schema they read. */
export interface ReaderDatabase {
  url: string
  schema: string
}

/** More of an answer than a query may have came from the server. */
export class AnswerTooLarge extends Error {
  constructor(bytes: number) {
    super(`the answer has more than ${bytes} bytes`)
    this.name = 'AnswerTooLarge'
  }
}

/** One row as the server writes it: the text of each value. */
export type TextRow = (string | null)[]

export interface TextRows {
  columns: { name: string; typeId: number }[]
  rows: TextRow[]
}

export interface ReaderSession {
  /** A statement of ours, by the simple protocol. */
  run(statement: string): Promise<TextRows>
  /** A statement with a text of the client's: by the extended protocol, which takes one statement only. */
  runOne(statement: string, parameters: readonly (string | null)[]): Promise<TextRows>
}

export interface SessionLimits {
  /** Ends the statement, then the connection. */
  signal: AbortSignal
  /** Bytes that the server may send. */
  maxBytes: number
}

/** How long the request to cancel may take before the connection is cut, milliseconds. */
const CANCEL_GRACE_MS = 250
/** Statement, transaction and idle bounds of the server: the client's own deadline comes first. */
const SERVER_SETTINGS = {
  default_transaction_read_only: 'on',
  statement_timeout: '5000',
  transaction_timeout: '6000',
  idle_in_transaction_session_timeout: '6000',
  lock_timeout: '2000',
  // A backend that computes looks for its client once a second.
  client_connection_check_interval: '1000',
  client_min_messages: 'error',
  // What a text means and how values are written must not follow from the settings of the login.
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  DateStyle: 'ISO',
  IntervalStyle: 'iso_8601',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  work_mem: '16MB',
  role: 'none',
} as const

/**
 * Opens a connection of its own for one piece of work, and closes it afterwards: nothing of a session (settings, locks,
 * cursors) outlives a query. Whatever the work does, it ends with the signal: the statement is cancelled, then the
 * connection is cut.
 * @throws AnswerTooLarge, the signal's reason, an error of the server (`DatabaseError`) or of the connection
 */
export async function withReaderSession<Result>(
  database: ReaderDatabase,
  limits: SessionLimits,
  work: (session: ReaderSession) => Promise<Result>,
): Promise<Result> {
  limits.signal.throwIfAborted()
  const client = new Client(clientConfig(database))
  // It fails the statement that waits as well; without a listener it would end the process.
  client.on('error', () => {})
  let ending: { cause: unknown; done: Promise<void> } | null = null
  const end = (cause: unknown) => {
    socketOf(client).pause()
    ending ??= { cause, done: cancelStatement(client).then(() => void socketOf(client).destroy()) }
  }
  const onAbort = () => end(limits.signal.reason)
  limits.signal.addEventListener('abort', onAbort)
  try {
    await client.connect()
    countBytes(socketOf(client), limits.maxBytes, end)
    const result = await work({
      run: (statement) => readRows(client, { text: statement }),
      runOne: (text, parameters) => readRows(client, { text, values: [...parameters], queryMode: 'extended' }),
    })
    if (ending === null) await client.end()
    return result
  } catch (error) {
    throw causeOf(ending) ?? error
  } finally {
    limits.signal.removeEventListener('abort', onAbort)
    await doneOf(ending)
    socketOf(client).destroy()
  }
}

type Ending = { cause: unknown; done: Promise<void> } | null

/** Assigned in a callback, which the compiler does not follow. */
function causeOf(ending: Ending): unknown {
  return ending?.cause
}

function doneOf(ending: Ending): Promise<void> | undefined {
  return ending?.done
}

function countBytes(socket: Socket, maxBytes: number, end: (cause: unknown) => void): void {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) end(new AnswerTooLarge(maxBytes))
  })
}

function clientConfig({ url, schema }: ReaderDatabase): ClientConfig {
  const settings = { ...SERVER_SETTINGS, search_path: schema }
  return {
    connectionString: url,
    application_name: 'task-market-sql',
    connectionTimeoutMillis: 2_000,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  }
}

/** What the driver keeps to itself: its socket, and what names its session to the server. */
interface DriverInternals {
  connection: { stream: Socket }
  processID: number | null
  secretKey: number | null
  host: string
  port: number
}

function socketOf(client: Client): Socket {
  return (client as unknown as DriverInternals).connection.stream
}

/**
 * Asks the server to cancel what the session does: the request has a connection of its own (PostgreSQL, "Canceling
 * Requests in Progress"). Resolves when it was taken, and after a while in any case.
 */
async function cancelStatement(client: Client): Promise<void> {
  const { processID, secretKey, host, port } = client as unknown as DriverInternals
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(80_877_102, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  await new Promise<void>((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve()
    }
    const timer = setTimeout(end, CANCEL_GRACE_MS)
    socket.on('connect', () => socket.write(request))
    // The server closes it when it has signalled the session.
    socket.on('close', end)
    socket.on('error', end)
    socket.resume()
  })
}

interface Statement {
  text: string
  values?: (string | null)[]
  queryMode?: 'extended'
}

/** The driver's types do not have all of its options. */
interface RowsConfig extends QueryArrayConfig, Statement {
  values?: (string | null)[]
}

/** Values stay as the server wrote them. */
const asWritten: CustomTypesConfig = { getTypeParser: () => (value: string) => value }

async function readRows(client: Client, statement: Statement): Promise<TextRows> {
  const config: RowsConfig = { ...statement, rowMode: 'array', types: asWritten }
  const { fields, rows } = await client.query<TextRow>(config)
  return { columns: fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID })), rows }
}
