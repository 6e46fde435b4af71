import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  type ExportManifest,
  INDEX_PATH,
  indexSchema,
  type ListedExport,
  MAX_LISTED_OF_FORMAT,
  manifestSchema,
} from '../../api/exports/manifest.ts'
import { type Destination, stageText } from './destination.ts'
import type { StagedFile } from './export-table.ts'

/** Returns the list of published exports at a destination, newest first. */
export async function readIndex(destination: Pick<Destination, 'read'>): Promise<ListedExport[]> {
  const text = await destination.read(INDEX_PATH)
  return text === null ? [] : indexSchema.parse(JSON.parse(text)).exports
}

/**
 * Returns the manifest of a published export.
 * @throws if the manifest does not exist
 */
export async function readManifest(
  destination: Pick<Destination, 'read'>,
  { manifest: { path } }: ListedExport,
): Promise<ExportManifest> {
  const text = await destination.read(path)
  if (text === null) throw new Error(`${INDEX_PATH} names ${path}, which is not there`)
  return manifestSchema.parse(JSON.parse(text))
}

/**
 * Publishes an export: first the files, then the manifest, and last the list of exports. Readers of the list see either
 * the whole export or none of it.
 */
export async function publish(
  destination: Destination,
  manifest: ExportManifest,
  { staging, staged }: { staging: string; staged: readonly StagedFile[] },
): Promise<ListedExport> {
  const facts = new Map(manifest.tables.flatMap(({ files }) => files).map((file) => [file.path, file]))
  for (const { path, file } of staged) {
    const { bytes = 0, sha256 = '' } = facts.get(path) ?? {}
    await destination.put(path, { file, bytes, sha256 })
  }
  const putText = async (path: string, text: string) => {
    const file = join(staging, 'text')
    await stageText(file, text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    await destination.put(path, { file, bytes: Buffer.byteLength(text), sha256 })
    return { path, sha256 }
  }
  const manifestFile = await putText(`manifests/${manifest.id}.json`, `${JSON.stringify(manifest, null, 1)}\n`)
  const listedExport = toListed(manifest, manifestFile)
  const others = (await readIndex(destination)).filter(({ id }) => id !== manifest.id)
  await putText(INDEX_PATH, `${JSON.stringify({ exports: newestOf([listedExport, ...others]) })}\n`)
  return listedExport
}

/**
 * Returns the newest exports of each format, at most `MAX_LISTED_OF_FORMAT` of each format. A later export can reuse a
 * file of a listed export if the file contains the rows of a complete day.
 * @param exports exports of all formats, newest first
 */
function newestOf(exports: readonly ListedExport[]): ListedExport[] {
  return exports.filter(({ format }, index) => {
    const newerExports = exports.slice(0, index).filter((other) => other.format === format)
    return newerExports.length < MAX_LISTED_OF_FORMAT
  })
}

function toListed({ tables, ...facts }: ExportManifest, manifest: ListedExport['manifest']): ListedExport {
  return {
    ...facts,
    manifest,
    tables: tables.map(({ name, files }) => {
      const [first, ...others] = files
      const { path, sha256 } = first === undefined || others.length > 0 ? manifest : first
      return { name, rows: sum(files, 'rows'), bytes: sum(files, 'bytes'), files: files.length, path, sha256 }
    }),
  }
}

function sum(files: readonly { rows: number; bytes: number }[], what: 'rows' | 'bytes'): number {
  return files.reduce((total, file) => total + file[what], 0)
}
