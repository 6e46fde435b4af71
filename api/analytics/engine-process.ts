import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadModule } from 'libpg-query'
import { DatabaseError } from 'pg'
import { findNearest } from '../../protocol/text/find-nearest.ts'
import type { Column } from '../tabular/column-types.ts'
import { createAnswerFile } from './answer-file.ts'
import { checkQuery } from './check-query.ts'
import type { EngineMessage, EngineTask, Plan, WrittenAnswer } from './engine.ts'
import { QueryFailed, timedOut } from './query-failure.ts'
import { createReader, type ReaderSession } from './reader-session.ts'
import { toQueryFailure } from './server-failures.ts'

/** The program of an engine process, which runs analysts' queries. `createEngine` starts the process. */
await loadModule()
const reader = createReader()
let current = new AbortController()
process.on('message', (message: EngineTask | 'cancel') => {
  if (message === 'cancel') {
    current.abort()
    return
  }
  current = new AbortController()
  void answer(message, current.signal)
})
// The service ends this process. A signal to the group of both processes would end queries that are still answered.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
send('ready')

function send(message: EngineMessage): void {
  process.send?.(message)
}

async function answer(task: EngineTask, signal: AbortSignal): Promise<void> {
  const { database, query, deadlineMs, maxBytes } = task
  let file: number | null = null
  try {
    if (task.answer !== undefined) file = openOnce(task.answer.path)
    requireParameters(checkQuery(query.text), query.parameters.length)
    send('running')
    const result = await reader.transaction(database, { deadlineMs, maxBytes, signal }, (session) =>
      runTask(session, task, file).catch((error: unknown) => suggestTable(session, error)),
    )
    send({ result })
  } catch (error) {
    const prefixLength = (task.answer === undefined ? EXPLAIN : CURSOR).length
    send({ failure: toQueryFailure(error, { prefixLength, deadlineMs }).facts() })
  } finally {
    if (file !== null) closeSync(file)
  }
}

/**
 * Opens a file that the service also has open, and removes the file's name. The file is deleted when both processes
 * have closed it.
 */
function openOnce(path: string): number {
  const fd = openSync(path, 'r+')
  rmSync(dirname(path), { recursive: true })
  return fd
}

function requireParameters(parameterCount: number, valueCount: number): void {
  if (parameterCount === valueCount) return
  const message = `must have as many values as the query has parameters: ${parameterCount}, not ${valueCount}`
  throw new QueryFailed({ kind: 'parameters', message })
}

/**
 * The SQL before the text of a query. `CURSOR`: to run the query. `EXPLAIN`: to get the query's plan. The server counts
 * the position of an error from the start of this SQL.
 */
const CURSOR = 'DECLARE answer NO SCROLL CURSOR FOR '
const EXPLAIN = 'EXPLAIN (FORMAT JSON) '
const FETCH_ROWS = 500
/** The largest number of columns in an answer. The types of all columns must fit into one response header. */
const MAX_COLUMNS = 200

/**
 * Runs a task. A query runs through a cursor, which PostgreSQL allows only for a SELECT. The rows are fetched in parts,
 * so a query ends when its answer exceeds a limit.
 */
async function runTask(
  session: ReaderSession,
  { query, answer, deadlineMs }: EngineTask,
  fd: number | null,
): Promise<WrittenAnswer | Plan> {
  const { snapshot } = session
  const deadline = performance.now() + deadlineMs
  if (answer === undefined || fd === null) {
    const { rows } = await session.runOne(`${EXPLAIN}${query.text}`, query.parameters)
    return { snapshot, plan: rows.map(([line]) => line ?? '').join('\n') }
  }
  await session.runOne(`${CURSOR}${query.text}`, query.parameters)
  const fetch = () => session.run(`FETCH ${FETCH_ROWS} FROM answer`)
  let part = await fetch()
  const { columns } = part
  requireNames(columns)
  const file = createAnswerFile(fd, { columns, ...answer })
  for (;;) {
    for (const row of part.rows) file.add(row)
    // The server limits its own work, but not the work on its rows.
    if (performance.now() > deadline) throw timedOut(deadlineMs)
    if (part.rows.length < FETCH_ROWS) break
    part = await fetch()
  }
  return { snapshot, columns, pages: file.end() }
}

const UNKNOWN_TABLE = '42P01'

/** Rethrows an error. For an unknown table, the function adds the name of the most similar table as a hint. */
async function suggestTable(session: ReaderSession, error: unknown): Promise<never> {
  if (!(error instanceof DatabaseError) || error.code !== UNKNOWN_TABLE) throw error
  await session.run('ROLLBACK')
  const { rows } = await session.run(
    "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('market', 'analytics')",
  )
  const [, schemaName, name = ''] = /"(?:(\w+)\.)?(\w+)"/.exec(error.message) ?? []
  const nearest = findNearest(
    name,
    rows.map(([, table]) => table ?? ''),
  )
  const schemas = rows.filter(([, table]) => table === nearest).map(([schema]) => schema)
  const schema = schemas.find((each) => each === schemaName) ?? schemas[0]
  if (schema !== undefined) error.hint = `Perhaps you meant the table "${schema}.${nearest}".`
  throw error
}

/**
 * Checks the number of columns, and that no two columns have the same name. A JSON object would lose one of the two.
 */
function requireNames(columns: readonly Column[]): void {
  if (columns.length > MAX_COLUMNS) throw badColumns('limit', `The answer has more than ${MAX_COLUMNS} columns.`)
  const usedNames = new Set<string>()
  for (const { name } of columns) {
    if (usedNames.has(name))
      throw badColumns('refused', `Two columns are named "${name}": give one another name with AS.`)
    usedNames.add(name)
  }
}

function badColumns(kind: 'limit' | 'refused', message: string): QueryFailed {
  return new QueryFailed({ kind, message })
}
