import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type postgres from 'postgres'
import { keccak256 } from 'viem'
import type { ArtifactRow, FileEvidence, FileRow, ManifestRow, StoredObject } from './evidence.ts'

const OBJECT = /^(uploads\/)?[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Reads every file below the service's folder, and then the rows, by its own SQL. */
export async function readFiles(sql: postgres.Sql, directory: string): Promise<FileEvidence> {
  // The row of a deleted object stays for a day: every object read here still has its row then.
  const { objects, others } = await readStorage(directory)
  const fileRows = async (table: string) =>
    await sql<FileRow[]>`
    select f.id, f.intent_id as "intentId", extract(epoch from now() - f.created_at)::float8 as "ageSeconds",
      case when i.status = 'failed' and (i.block_number is null or not i.watched)
        then extract(epoch from now() - i.status_at)::float8 end as "failedForSeconds"
    from ${sql(table)} f left join service.intents i on i.id = f.intent_id`
  const artifacts = await sql<ArtifactRow[]>`
    select id, task_id as "taskId", worker, deliverable, display_order as "displayOrder" from service.artifacts`
  const manifests = await sql<ManifestRow[]>`
    select task_id as "taskId", worker, deliverable, manifest from service.submission_content`
  return {
    objects,
    others,
    artifacts,
    manifests,
    uploads: await fileRows('service.uploads'),
    storedFiles: await fileRows('service.stored_files'),
  }
}

async function readStorage(directory: string): Promise<Pick<FileEvidence, 'objects' | 'others'>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const objects: StoredObject[] = []
  const others: { path: string; ageSeconds: number }[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(directory, file)
    const [, upload, id] = OBJECT.exec(path) ?? []
    // Uploads and temporary files may be deleted while they are read.
    const found = await (id === undefined ? ageOf(file) : readFile(file)).catch(() => null)
    if (found === null) continue
    if (typeof found === 'number') others.push({ path, ageSeconds: found })
    else if (id !== undefined) {
      objects.push({
        area: upload === undefined ? 'artifacts' : 'uploads',
        id,
        sizeBytes: found.length,
        sha256Hash: createHash('sha256').update(found).digest('hex'),
        keccak256Hash: keccak256(found),
      })
    }
  }
  return { objects, others }
}

async function ageOf(file: string): Promise<number> {
  return (Date.now() - (await stat(file)).mtimeMs) / 1000
}
