import {
  type ReaderDatabase,
  type ReaderSession,
  type SessionLimits,
  type SessionWork,
  startReaderSession,
  type TextRow,
} from './reader-session.ts'

/** What a query may take. */
export interface QueryLimits extends SessionLimits {
  maxRows: number
}

export interface Query {
  text: string
  /** Values of `$1`, `$2`, ... as texts; the server takes each for the type that the query asks for. */
  parameters: readonly (string | null)[]
  /** Aborts when the client is gone: nothing waits for the answer. */
  signal?: AbortSignal
}

/** The block whose rows an answer shows, and the deployment that wrote them. */
export interface Snapshot {
  blockNumber: bigint
  /** Unix seconds. */
  blockTimestamp: bigint
  schemaVersion: string
}

export interface QueryAnswer {
  snapshot: Snapshot | null
  columns: { name: string; typeId: number }[]
  rows: TextRow[]
}

/** A query has more rows than an answer may have. */
export class TooManyRows extends Error {
  constructor(rows: number) {
    super(`the answer has more than ${rows} rows`)
    this.name = 'TooManyRows'
  }
}

/** The login that should only read may do more: with it no text of a client is run. */
export class UnsafeReader extends Error {
  constructor(right: string) {
    super(`the reader may ${right}`)
    this.name = 'UnsafeReader'
  }
}

/** The reader's database has no head to read: nothing was indexed there yet, or it is another database. */
export class ReadModelMissing extends Error {
  constructor(options: ErrorOptions) {
    super('the reader finds no read model', options)
    this.name = 'ReadModelMissing'
  }
}

/** An answer has one value a name, and a name for each column. */
export class BadColumns extends Error {}

/** A value is too long: writing one takes the process for as long as it is. */
export class ValueTooLarge extends Error {}

/** Characters of one value. */
export const MAX_VALUE_LENGTH = 1_048_576
/** Columns of an answer: their types stand in one header. */
const MAX_COLUMNS = 200
const FETCH_ROWS = 500

/** What stands before a query's text; positions of the server count from its beginning. */
export const cursorPrefix = 'DECLARE answer NO SCROLL CURSOR FOR '
export const explainPrefix = 'EXPLAIN (FORMAT JSON) '

/**
 * Runs one SELECT that the gate has admitted, in a read-only transaction of its own, through a cursor: PostgreSQL
 * declares one for a SELECT only, and the rows come in parts, so an answer ends where its limit is.
 * Its result rejects with TooManyRows, BadColumns, UnsafeReader, ReadModelMissing, and as `startReaderSession` says.
 */
export function runQuery(database: ReaderDatabase, query: Query, limits: QueryLimits): SessionWork<QueryAnswer> {
  return startReaderSession(database, limits, async (session) => {
    const snapshot = await begin(session)
    await session.runOne(`${cursorPrefix}${query.text}`, query.parameters)
    const answer: QueryAnswer = { snapshot, columns: [], rows: [] }
    for (;;) {
      const { columns, rows } = await session.run(`FETCH ${FETCH_ROWS} FROM answer`)
      if (answer.columns.length === 0) requireNames(columns)
      answer.columns = columns
      for (const row of rows) {
        requireShortValues(row)
        answer.rows.push(row)
      }
      if (answer.rows.length > limits.maxRows) throw new TooManyRows(limits.maxRows)
      if (rows.length < FETCH_ROWS) break
    }
    await session.run('ROLLBACK')
    return answer
  })
}

/** The plan of such a SELECT, as JSON text. It is not run. */
export function explainQuery(
  database: ReaderDatabase,
  query: Query,
  limits: SessionLimits,
): SessionWork<{ snapshot: Snapshot | null; plan: string }> {
  return startReaderSession(database, limits, async (session) => {
    const snapshot = await begin(session)
    const { rows } = await session.runOne(`${explainPrefix}${query.text}`, query.parameters)
    await session.run('ROLLBACK')
    return { snapshot, plan: rows.map(([line]) => line ?? '').join('\n') }
  })
}

/** Rights that no reader may have, each as what it may do, unless nothing can be written here: on a standby. */
const UNSAFE_RIGHTS: readonly [right: string, condition: string][] = [
  ['act as a superuser', "current_setting('is_superuser')::boolean"],
  ['read the schema service', "coalesce(has_schema_privilege(to_regnamespace('service'), 'USAGE'), false)"],
  ...[
    'set_config(text, text, boolean)',
    'pg_advisory_lock(bigint)',
    'pg_notify(text, text)',
    'pg_logical_emit_message(boolean, text, text, boolean)',
    'pg_terminate_backend(integer, bigint)',
    'pg_sleep(double precision)',
    'lo_create(oid)',
    'query_to_xml(text, boolean, boolean, text)',
  ].map((name): [string, string] => [
    `execute ${name.split('(', 1)[0]}`,
    `NOT pg_is_in_recovery() AND has_function_privilege('pg_catalog.${name}', 'EXECUTE')`,
  ]),
  ['create temporary tables', "NOT pg_is_in_recovery() AND has_database_privilege(current_database(), 'TEMPORARY')"],
  ['create schemas', "NOT pg_is_in_recovery() AND has_database_privilege(current_database(), 'CREATE')"],
]

const UNSAFE_RIGHT = `CASE ${UNSAFE_RIGHTS.map(([right, condition]) => `WHEN ${condition} THEN '${right}'`).join(' ')} END`

/** One row: the first unsafe right, and the head. By way of json: the views of an indexer of before lack the column. */
const HEAD = `
  SELECT ${UNSAFE_RIGHT}, block_number, block_timestamp, to_jsonb(indexed_head) ->> 'schema_version'
  FROM (SELECT 1) AS always LEFT JOIN indexed_head ON true`

async function begin(session: ReaderSession): Promise<Snapshot | null> {
  await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await session.run(HEAD).catch((cause: unknown) => {
    throw new ReadModelMissing({ cause })
  })
  const [right, number, timestamp, schemaVersion] = rows[0] ?? []
  if (typeof right === 'string') throw new UnsafeReader(right)
  if (typeof number !== 'string' || typeof timestamp !== 'string') return null
  return {
    blockNumber: BigInt(number),
    blockTimestamp: BigInt(timestamp),
    schemaVersion: schemaVersion ?? '',
  }
}

/** An object has one value a name: two columns of one name would lose one of them. */
function requireNames(columns: readonly { name: string }[]): void {
  if (columns.length > MAX_COLUMNS) throw new BadColumns(`The answer has more than ${MAX_COLUMNS} columns.`)
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.has(name)) throw new BadColumns(`Two columns are named "${name}": give one another name with AS.`)
    seen.add(name)
  }
}

function requireShortValues(row: TextRow): void {
  for (const value of row) if (value !== null && value.length > MAX_VALUE_LENGTH) throw new ValueTooLarge()
}
