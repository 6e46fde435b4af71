import { z } from 'zod'

/** The formats of an export's files, which are also their name endings. */
export const exportFormats = ['parquet', 'csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The path of the list of published exports, below the destination of all files. */
export const INDEX_PATH = 'exports.json'

/** The exports of a format that the list names, the newest; the manifests of older ones stay. */
export const MAX_LISTED_OF_FORMAT = 10

const DATASET = '[a-z_][a-z0-9_]{0,62}'
const FILE = `part-\\d{5}\\.(?:${exportFormats.join('|')})`

/** The path of a published file: no segment begins with a dot, none leads out of the destination. */
export const EXPORT_PATH = new RegExp(
  `^(?:manifests/[a-zA-Z0-9_-]{1,120}\\.json|(?:${exportFormats.join('|')})/${DATASET}/[a-zA-Z0-9_-]{1,100}/${DATASET}/(?:block=\\d{1,16}|day=\\d{4}-\\d\\d-\\d\\d)/${FILE})$`,
)

const count = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const path = z.string().regex(EXPORT_PATH)

/** The block of an export: the head of its snapshot. */
const exportedBlock = z.object({
  number: count,
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  /** ISO 8601. */
  timestamp: z.string(),
})

const exportFacts = z.object({
  id: z.string().regex(/^[a-zA-Z0-9_-]{1,120}$/),
  format: z.enum(exportFormats),
  block: exportedBlock,
  /** ISO 8601. */
  createdAt: z.string(),
  /** The deployment of the indexer that wrote the rows. */
  schemaVersion: z.string(),
})

const exportedFile = z.object({
  path,
  rows: count,
  bytes: count,
  sha256,
  /** The UTC day of all its rows, `2026-11-27`; absent: the other rows of its table. */
  day: z.string().optional(),
})
export type ExportedFile = z.output<typeof exportedFile>

/** A table or view of an export, with all its files at the export's block. */
const exportedTable = z.object({
  /** `<schema>.<name>`. */
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  files: z.array(exportedFile).min(1),
})
export type ExportedTable = z.output<typeof exportedTable>

/** The manifest of an export. The rows of a table are exactly those of its files. */
export const manifestSchema = exportFacts.extend({ tables: z.array(exportedTable) })
export type ExportManifest = z.output<typeof manifestSchema>

/**
 * An entry of the list, a summary of the manifest. `path` and `sha256` of a table with several files are the
 * manifest's.
 */
const listedExport = exportFacts.extend({
  manifest: z.object({ path, sha256 }),
  tables: z.array(z.object({ name: z.string(), rows: count, bytes: count, files: count, path, sha256 })),
})
export type ListedExport = z.output<typeof listedExport>

/** The list of published exports, newest first. */
export const indexSchema = z.object({ exports: z.array(listedExport) })
