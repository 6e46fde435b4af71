import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { insertStoredFiles } from '../../../api/artifacts/stored-files.queries.ts'
import type { Database } from '../../../api/db/client.ts'
import type { Deps } from '../../../api/deps.ts'
import { insertContent } from '../../../api/intents/content.queries.ts'
import { oneChunk } from '../../support/artifact-bytes.ts'
import { aHash } from '../../support/rows/insert-row.ts'

/** Names of the objects in the folder of a local store, as `<area>/<id>`. */
export async function listObjects(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true })
  return names
    .flatMap((name) => {
      const [, upload, id] = /^(uploads\/)?[0-9a-f]{2}\/([0-9a-f-]{36})$/.exec(name) ?? []
      return id === undefined ? [] : [`${upload === undefined ? 'artifacts' : 'uploads'}/${id}`]
    })
    .sort()
}

/** A file whose upload URL was requested. */
export async function anUpload(sql: Database, taskId: Hex, worker: Address): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into service.uploads (id, task_id, worker, client, file_name, mime_type, role, size_bytes, expires_at)
    values (${id}, ${taskId}, ${worker}, 'client', 'a.txt', 'text/plain', 'final', 3, now() + interval '15 minutes')`
  return id
}

/** Notes an artifact and stores it. */
export async function aStoredFile({ sql, storage }: Pick<Deps, 'sql' | 'storage'>): Promise<string> {
  const id = randomUUID()
  await insertStoredFiles(sql, [id])
  await storage.put({ area: 'artifacts', id }, oneChunk(Buffer.from('abc')), 3)
  return id
}

/** A bound submission's intent, with the rows of `insertContent` of the same transaction. */
export async function bindFiles(
  sql: Database,
  { taskId, worker, ids, uploads = [] }: { taskId: Hex; worker: Address; ids: string[]; uploads?: string[] },
): Promise<{ intentId: string; deliverable: Hex }> {
  const [intentId, deliverable] = [randomUUID(), aHash()]
  const described = { role: 'final', fileName: 'a.txt', mimeType: 'text/plain', mediaKind: 'text' } as const
  const artifacts = ids.map((id, displayOrder) => ({
    id,
    displayOrder,
    ...described,
    sizeBytes: 3,
    textPreview: null,
    sha256Hash: '0'.repeat(64),
    keccak256Hash: aHash(),
  }))
  await sql.begin(async (tx) => {
    await tx`
      insert into service.intents (id, idempotency_key, operation, fingerprint, status, kind, relay_mode, chain_intent_id, target,
        calldata, escrow_amount, bound_at_block)
      values (${intentId}, ${randomUUID()}, 'submissions.create', ${Buffer.alloc(32)}, 'recorded', 'market',
        'signed', ${aHash()},
        '0x', '0x', 0, 1)`
    const submission = { taskId, worker, deliverable, manifest: '{}', signature: '0x51', artifacts, uploads }
    await insertContent(tx, intentId, { submission })
  })
  return { intentId, deliverable }
}

/** Makes every file and every intent this many seconds older. */
export async function makeOlder(sql: Database, seconds: number): Promise<void> {
  await sql`
    update service.uploads set created_at = created_at - make_interval(secs => ${seconds}::float8),
      expires_at = expires_at - make_interval(secs => ${seconds}::float8),
      emptied_at = emptied_at - make_interval(secs => ${seconds}::float8)`
  await sql`
    update service.stored_files set created_at = created_at - make_interval(secs => ${seconds}::float8),
      emptied_at = emptied_at - make_interval(secs => ${seconds}::float8)`
  await sql`
    update service.byte_charges set created_at = created_at - make_interval(secs => ${seconds}::float8)`
  await sql`update service.intents set status_at = status_at - make_interval(secs => ${seconds}::float8)`
}

/** Deletes every file, and every row of one. */
export async function clearFiles({ sql, deps }: { sql: Database; deps: Pick<Deps, 'config'> }): Promise<void> {
  await sql`truncate service.uploads, service.stored_files, service.artifacts, service.byte_charges`
  const directory = deps.config.ARTIFACT_DIR
  for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true })
}
