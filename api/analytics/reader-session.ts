import { connect, type Socket } from 'node:net'
import { Client, type ClientConfig, type CustomTypesConfig, type QueryArrayConfig } from 'pg'
import { lowerPriority } from './lower-priority.ts'

/** Where readers connect, and the schema they read. */
export interface ReaderDatabase {
  url: string
  schema: string
}

/** More of an answer than a query may have came from the server. */
export class AnswerTooLarge extends Error {
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`the answer has more than ${maxBytes} bytes`)
    this.name = 'AnswerTooLarge'
    this.maxBytes = maxBytes
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

/** How long the request to cancel may take before the server counts as gone, milliseconds. */
const CANCEL_TIMEOUT_MS = 2_000
/** A large answer is read with pauses: Node would read two megabytes of each connection in one turn. */
const BYTES_BEFORE_PAUSES = 1024 * 1024
const BYTES_BETWEEN_PAUSES = 256 * 1024
/** Milliseconds; reading and decoding so many bytes takes a quarter of it. */
const PAUSE_MS = 4
/** A connection that is idle so long is asked whether the other end still exists, milliseconds. */
const KEEP_ALIVE_MS = 10_000
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

/** A piece of work under way on a session of its own. */
export interface SessionWork<Result> {
  /** Settles with the work, or with the reason that ended it. */
  result: Promise<Result>
  /**
   * Resolves when the server has ended the session, and never rejects. Later than `result` where the server is in a
   * function that it cannot interrupt: until then the session takes a connection of the login and a processor.
   */
  closed: Promise<void>
}

/**
 * Opens a connection of its own for one piece of work, and closes it afterwards: nothing of a session (settings, locks,
 * cursors) outlives a query. The signal ends the work: the statement is cancelled, and what still comes is thrown away.
 *
 * `result` rejects with AnswerTooLarge, the signal's reason, an error of the server (`DatabaseError`) or of the
 * connection.
 */
export function startReaderSession<Result>(
  database: ReaderDatabase,
  limits: SessionLimits,
  work: (session: ReaderSession) => Promise<Result>,
): SessionWork<Result> {
  const client = new Client(clientConfig(database))
  // It fails the statement that waits as well; without a listener it would end the process.
  client.on('error', () => {})
  let rejectEnded: (cause: unknown) => void = () => {}
  const ended = new Promise<never>((_, reject) => {
    rejectEnded = reject
  })
  // Nothing waits for it once the work is done.
  ended.catch(() => {})
  let isEnding = false
  const end = (cause: unknown) => {
    if (isEnding) return
    isEnding = true
    rejectEnded(cause)
    void abandon(client)
  }
  const onAbort = () => end(limits.signal.reason)
  const run = async (): Promise<Result> => {
    limits.signal.throwIfAborted()
    limits.signal.addEventListener('abort', onAbort)
    await client.connect()
    const socket = socketOf(client)
    const { processID: processId } = client as unknown as DriverInternals
    const { localAddress, localPort } = socket
    if (processId !== null && localAddress !== undefined && localPort !== undefined) {
      await lowerPriority({ processId, localAddress, localPort })
    }
    countBytes(socket, limits.maxBytes, end)
    return await work({
      run: (statement) => readRows(client, { text: statement }),
      runOne: (text, parameters) => readRows(client, { text, values: [...parameters], queryMode: 'extended' }),
    })
  }
  const result = Promise.race([run(), ended]).finally(() => {
    limits.signal.removeEventListener('abort', onAbort)
    if (!isEnding) void client.end().catch(() => socketOf(client).destroy())
  })
  const closed = result.then(
    () => closeOf(socketOf(client)),
    () => closeOf(socketOf(client)),
  )
  return { result, closed }
}

/** Bytes that a session may still send after it was ended; a larger value in the middle of its way is cut off. */
const MAX_LEFT_BYTES = 16 * 1024 * 1024

/**
 * Cancels the statement and asks the server to end the session; reads on, so that the server gets as far as that. A
 * server that cannot be reached any more keeps no place: then the connection is destroyed.
 */
async function abandon(client: Client): Promise<void> {
  const socket = socketOf(client)
  if (socket.pending || socket.connecting) {
    socket.destroy()
    return
  }
  socket.removeAllListeners('data')
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_LEFT_BYTES) socket.destroy()
  })
  socket.resume()
  const isReached = await cancelStatement(client)
  // The message "Terminate": read as soon as the statement has ended.
  if (!isReached) socket.destroy()
  else if (socket.writable) socket.write(Buffer.from([0x58, 0, 0, 0, 4]))
}

function closeOf(socket: Socket): Promise<void> {
  if (socket.closed || socket.pending) return Promise.resolve()
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

function countBytes(socket: Socket, maxBytes: number, end: (cause: unknown) => void): void {
  let bytes = 0
  let sincePause = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) {
      end(new AnswerTooLarge(maxBytes))
      return
    }
    sincePause += chunk.length
    if (bytes < BYTES_BEFORE_PAUSES || sincePause < BYTES_BETWEEN_PAUSES) return
    sincePause = 0
    socket.pause()
    setTimeout(() => socket.resume(), PAUSE_MS)
  })
}

function clientConfig({ url, schema }: ReaderDatabase): ClientConfig {
  const settings = { ...SERVER_SETTINGS, search_path: schema }
  return {
    connectionString: url,
    application_name: 'task-market-sql',
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
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
 * Requests in Progress"). Resolves when the server took it, to true; to false when none could be reached.
 */
async function cancelStatement(client: Client): Promise<boolean> {
  const { processID, secretKey, host, port } = client as unknown as DriverInternals
  if (processID === null || secretKey === null) return false
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(80_877_102, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  return await new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    let isReached = false
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isReached)
    }
    const timer = setTimeout(end, CANCEL_TIMEOUT_MS)
    socket.on('connect', () => {
      isReached = true
      socket.write(request)
    })
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
