import { join } from 'node:path'
import type { ExportedFile, ExportedTable, ExportFormat } from '../../api/exports/manifest.ts'
import { columnTypeOf, type TextRow } from '../../api/tabular/column-types.ts'
import { encoders } from './encode-rows.ts'
import type { ExportSession } from './export-session.ts'
import { readRows } from './read-rows.ts'
import { appendedTables, quoteName, type SourceTable } from './tables.ts'
import { createPartWriter, type PartWriter } from './write-part.ts'

/** Values that are the same for all tables of an export. */
export interface ExportFrame {
  format: ExportFormat
  schemaVersion: string
  /** Height and time (Unix seconds) of the latest indexed block in the database snapshot that is exported. */
  block: { number: bigint; timestamp: bigint }
  /** The directory for files that are not published yet. */
  staging: string
  /** Approximate maximum size of a file, in bytes. */
  maxPartBytes: number
  signal: AbortSignal
}

/** An unpublished file: `file` is its path on this machine, `path` the path under which it will be published. */
export interface StagedFile {
  path: string
  file: string
}

/**
 * Writes the files of a table. If the table is append-only, reuses every file of the previous export that contains the
 * rows of a complete day. A UTC day is complete if it ended before the export's block.
 * @param earlierExport `table`: the table in the previous export. `unfinishedDay`: the first UTC day that was not
 * complete in the previous export. Null to read all days
 */
export async function exportTable(
  session: Pick<ExportSession, 'run'>,
  table: SourceTable,
  frame: ExportFrame,
  earlierExport: { table: ExportedTable; unfinishedDay: string } | null,
): Promise<{ table: ExportedTable; staged: StagedFile[] }> {
  const key = `${table.schema}.${table.name}`
  const columns = table.columns.map(({ name, typeId }) => ({ name, type: columnTypeOf(typeId).name }))
  const appendOrder = appendedTables[key]
  const directory = directoryOf(table, frame)
  const keptFiles = appendOrder && earlierExport && finishedDaysOf(earlierExport.table, { directory, columns })
  const from = keptFiles ? (earlierExport?.unfinishedDay ?? null) : null
  const writer = createTableWriter(table, directory, frame)
  try {
    for await (const rows of readRows(session, queryOf(table, appendOrder, from), frame.signal)) {
      for (const row of rows) writer.add(row)
    }
    const { files, staged } = writer.end()
    return { table: { name: key, columns, files: [...(keptFiles ?? []), ...files] }, staged }
  } catch (error) {
    writer.discard()
    throw error
  }
}

/**
 * Returns every file of the previous export that contains the rows of a complete day. Returns null if the table's
 * columns have changed since the previous export, or if the table's directory has changed because the deployment or a
 * view of `analytics` has changed.
 */
function finishedDaysOf(
  { columns, files }: ExportedTable,
  presentTable: { directory: string; columns: ExportedTable['columns'] },
): ExportedFile[] | null {
  const isSame =
    JSON.stringify(columns) === JSON.stringify(presentTable.columns) &&
    files.every(({ path }) => path.startsWith(presentTable.directory))
  return isSame ? files.filter(({ day }) => day !== undefined) : null
}

/** Returns the UTC day of a time. Example: `dayOf(1795824000n)` is `2026-11-28`. */
export function dayOf(unixSeconds: bigint): string {
  return new Date(Number(unixSeconds) * 1000).toISOString().slice(0, 10)
}

function directoryOf({ schema, name, definition }: SourceTable, { format, schemaVersion }: ExportFrame): string {
  const version = definition === null ? schemaVersion : `${schemaVersion}-${definition}`
  return `${format}/${schema}/${version}/${name}/`
}

/**
 * Returns the query that reads a table. If the table is append-only, the rows are sorted by time, and rows of the same
 * time by key.
 * @param from first UTC day to read; null to read all rows
 */
function queryOf(
  { schema, name, columns }: SourceTable,
  appendOrder: { time: string; key: string } | undefined,
  from: string | null,
): string {
  const query = `SELECT ${columns.map((column) => quoteName(column.name)).join(', ')} FROM ${quoteName(schema, name)}`
  if (appendOrder === undefined) return query
  const column = quoteName(appendOrder.time)
  const order = `ORDER BY ${column}, ${quoteName(appendOrder.key)}`
  if (from === null) return `${query} ${order}`
  const start = `timestamptz '${from} 00:00:00Z'`
  const isSeconds = columnTypeOf(columns.find((each) => each.name === appendOrder.time)?.typeId ?? 0).kind === 'bigint'
  return `${query} WHERE ${column} >= ${isSeconds ? `extract(epoch FROM ${start})::bigint` : start} ${order}`
}

/**
 * Creates a writer that divides the rows of a table into files. The folder `day=<day>` gets the rows of a complete day.
 * The folder `block=<number>` gets all other rows.
 */
function createTableWriter(table: SourceTable, directory: string, frame: ExportFrame) {
  const dayOfRow = dayReader(table)
  const today = dayOf(frame.block.timestamp)
  const rest = `block=${frame.block.number}`
  const files: ExportedFile[] = []
  const stagedFiles: StagedFile[] = []
  let part: { name: string; number: number; staged: StagedFile; writer: PartWriter } | null = null

  const open = (name: string, number: number) => {
    const path = `${directory}${name}/part-${String(number).padStart(5, '0')}.${frame.format}`
    const file = { path, file: join(frame.staging, path.replaceAll('/', '~')) }
    part = { name, number, staged: file, writer: createPartWriter(file.file, encoders[frame.format](table.columns)) }
    return part
  }
  const close = () => {
    if (part === null) return
    const { name, writer, staged: file } = part
    const day = name === rest ? {} : { day: name.slice('day='.length) }
    files.push({ path: file.path, ...writer.end(), ...day })
    stagedFiles.push(file)
    part = null
  }
  const partFor = (name: string) => {
    if (part?.name === name && part.writer.bytes() < frame.maxPartBytes) return part
    const number = part?.name === name ? part.number + 1 : 0
    close()
    return open(name, number)
  }
  return {
    add: (row: TextRow) => {
      const day = dayOfRow(row)
      partFor(day === null || day >= today ? rest : `day=${day}`).writer.add(row)
    },
    /**
     * Closes the last file. If no row belongs to the folder `block=<number>`, also writes a file without rows to this
     * folder. Therefore even the export of an empty table has a file with the names of the columns.
     */
    end: () => {
      if (part?.name !== rest) partFor(rest)
      close()
      return { files, staged: stagedFiles }
    },
    discard: () => part?.writer.discard(),
  }
}

/** Returns a function that reads the UTC day of a row. For a table that is not append-only, the day is always null. */
function dayReader({ schema, name, columns }: SourceTable): (row: TextRow) => string | null {
  const time = appendedTables[`${schema}.${name}`]?.time
  if (time === undefined) return () => null
  const index = columns.findIndex((column) => column.name === time)
  const typeId = columns[index]?.typeId
  if (typeId === undefined) throw new Error(`${schema}.${name} has no column ${time}`)
  if (columnTypeOf(typeId).kind === 'bigint') return (row) => dayOf(BigInt(row[index] ?? 0))
  return (row) => row[index]?.slice(0, 10) ?? null
}
