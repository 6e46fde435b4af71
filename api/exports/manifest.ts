import { z } from 'zod'

/** The formats of an export's files. Each is also the ending of the file names. */
export const exportFormats = ['parquet', 'csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The path of the list of published exports, relative to the directory or bucket of all exports. */
export const INDEX_PATH = 'exports.json'

/** The largest number of listed exports of one format. The manifests of older exports are kept but not listed. */
export const MAX_LISTED_OF_FORMAT = 10

const DATASET = '[a-z_][a-z0-9_]{0,62}'
const FILE = `part-\\d{5}\\.(?:${exportFormats.join('|')})`

/**
 * The pattern of the path of a published file. A matching path always stays in the directory of exports and has no
 * hidden segment.
 */
export const EXPORT_PATH = new RegExp(
  `^(?:manifests/[a-zA-Z0-9_-]{1,120}\\.json|(?:${exportFormats.join('|')})/${DATASET}/[a-zA-Z0-9_-]{1,100}/${DATASET}/(?:block=\\d{1,16}|day=\\d{4}-\\d\\d-\\d\\d)/${FILE})$`,
)

const count = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const path = z.string().regex(EXPORT_PATH)

/** The block of an export: the latest block in the database snapshot from which the export was made. */
const exportedBlock = z.object({
  number: count,
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  /** The block's time in ISO 8601. */
  timestamp: z.string(),
})

const exportFacts = z.object({
  id: z.string().regex(/^[a-zA-Z0-9_-]{1,120}$/),
  format: z.enum(exportFormats),
  block: exportedBlock,
  /** The time at which the export was created, in ISO 8601. */
  createdAt: z.string(),
  /** The indexer deployment that wrote the exported rows. */
  schemaVersion: z.string(),
})

const exportedFile = z.object({
  path,
  rows: count,
  bytes: count,
  sha256,
  /**
   * Set only for a file with rows of one complete UTC day: this day, such as `2026-11-27`. All other rows of the table
   * are in files without `day`.
   */
  day: z.string().optional(),
})
export type ExportedFile = z.output<typeof exportedFile>

/** A table or view of an export, with all its files. */
const exportedTable = z.object({
  /** The name of the table, in the form `<schema>.<name>`. */
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  files: z.array(exportedFile).min(1),
})
export type ExportedTable = z.output<typeof exportedTable>

/**
 * The schema of an export's manifest. The files that the manifest lists for a table contain each row of the table once.
 */
export const manifestSchema = exportFacts.extend({ tables: z.array(exportedTable) })
export type ExportManifest = z.output<typeof manifestSchema>

/**
 * An entry in the list of exports: a summary of the export's manifest. If a table has one file, `path` and `sha256` are
 * those of the file. If a table has several files, `path` and `sha256` are those of the manifest.
 */
const listedExport = exportFacts.extend({
  manifest: z.object({ path, sha256 }),
  tables: z.array(z.object({ name: z.string(), rows: count, bytes: count, files: count, path, sha256 })),
})
export type ListedExport = z.output<typeof listedExport>

/** The schema of the list of published exports. The list has the newest export first. */
export const indexSchema = z.object({ exports: z.array(listedExport) })
