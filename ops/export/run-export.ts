import { rm } from 'node:fs/promises'
import type { ExportFormat, ExportManifest, ListedExport } from '../../api/exports/manifest.ts'
import type { Destination } from './destination.ts'
import { type ExportSession, withExportSession } from './export-session.ts'
import { dayOf, exportTable, type StagedFile } from './export-table.ts'
import {
  type ExportChain,
  type ExportedHead,
  Outdated,
  readExportedHead,
  requireSameEvents,
  untilFinal,
} from './finality.ts'
import { publish, readIndex, readManifest } from './publish.ts'
import { listTables, type SourceTable } from './tables.ts'

export interface ExportOptions {
  /** URL of the analysts' standby, with the login `market_exporter`. */
  databaseUrl: string
  chain: ExportChain
  destination: Destination
  format: ExportFormat
  /** Approximate maximum size of a file, in bytes. Default 512 MiB. */
  maxPartBytes?: number
  signal: AbortSignal
  /** Prints one line for the operator. */
  log(line: string): void
}

/** The maximum number of attempts at one export. The export is tried again if a reorg replaced its latest block. */
const ATTEMPTS = 5

/**
 * Writes every table and view of `market` and `analytics` at one block, and publishes the files when the block is
 * final. A reorg of the block discards the files and repeats the export.
 *
 * Example: `await runExport({ databaseUrl, chain, destination, format: 'parquet', signal, log })`.
 */
export async function runExport(options: ExportOptions, attempt = 1): Promise<ListedExport> {
  try {
    return await exportOnce(options)
  } catch (error) {
    if (!(error instanceof Outdated) || attempt >= ATTEMPTS) throw error
    options.log(`${error.message}; the export is made again`)
    return await runExport(options, attempt + 1)
  }
}

async function exportOnce(options: ExportOptions): Promise<ListedExport> {
  const { databaseUrl, destination, chain, format, signal, log } = options
  const stagingPath = await destination.openStaging()
  try {
    const publishedExports = await readIndex(destination)
    const snapshot = await withExportSession({ url: databaseUrl, waits: false, signal }, (session) =>
      session.withSnapshot(() => readAll(session, options, { published: publishedExports, staging: stagingPath })),
    )
    const { head, tables, manifest, staged } = snapshot
    const sameExport = publishedExports.find(({ id }) => id === manifest.id)
    if (sameExport !== undefined) {
      log(`${sameExport.id} is published already: there is no newer block`)
      return sameExport
    }
    log(`block ${head.number} is read, ${staged.length} files; they are published when it is final`)
    await untilFinal(chain, head, signal)
    return await withExportSession({ url: databaseUrl, waits: true, signal }, async (session) => {
      await requireSameEvents(session, head, tables)
      if (newestOf(await readIndex(destination), format) !== newestOf(publishedExports, format)) {
        throw new Outdated('another export was published meanwhile')
      }
      const listedExport = await publish(destination, manifest, { staging: stagingPath, staged })
      log(`${listedExport.id} is published`)
      return listedExport
    })
  } finally {
    await rm(stagingPath, { recursive: true, force: true })
  }
}

/**
 * Returns the id of the newest published export of a format. The next export of this format can reuse a file of the
 * returned export if the file contains the rows of a complete day.
 */
function newestOf(publishedExports: readonly ListedExport[], format: ExportFormat): string | undefined {
  return publishedExports.find((each) => each.format === format)?.id
}

/** Reads all tables in the session's open transaction, and writes them to unpublished files. */
async function readAll(
  session: ExportSession,
  { chain, format, destination, maxPartBytes = 512 * 1024 ** 2, signal }: ExportOptions,
  { published, staging }: { published: readonly ListedExport[]; staging: string },
): Promise<{ head: ExportedHead; tables: SourceTable[]; manifest: ExportManifest; staged: StagedFile[] }> {
  const tables = await listTables(session)
  const head = await readExportedHead(session, chain, tables)
  const { number, timestamp, hash, schemaVersion } = head
  const facts = {
    id: `${schemaVersion}-${number}-${format}`,
    format,
    block: { number: Number(number), hash, timestamp: new Date(Number(timestamp) * 1000).toISOString() },
    createdAt: new Date().toISOString(),
    schemaVersion,
  }
  const exportedTables: ExportManifest['tables'] = []
  const stagedFiles: StagedFile[] = []
  if (published.some(({ id }) => id === facts.id))
    return { head, tables, manifest: { ...facts, tables: [] }, staged: stagedFiles }
  const before = published.find(
    (each) => each.format === format && each.schemaVersion === schemaVersion && each.block.number < number,
  )
  const earlierManifest = before === undefined ? null : await readManifest(destination, before)
  const frame = { format, schemaVersion, block: head, staging, maxPartBytes, signal }
  for (const table of tables) {
    const sameTable = earlierManifest?.tables.find(({ name }) => name === `${table.schema}.${table.name}`)
    const unfinishedDay = dayOf(BigInt(Date.parse(earlierManifest?.block.timestamp ?? facts.block.timestamp)) / 1000n)
    const tableExport = await exportTable(
      session,
      table,
      frame,
      sameTable === undefined ? null : { table: sameTable, unfinishedDay },
    )
    exportedTables.push(tableExport.table)
    stagedFiles.push(...tableExport.staged)
  }
  return { head, tables, manifest: { ...facts, tables: exportedTables }, staged: stagedFiles }
}
