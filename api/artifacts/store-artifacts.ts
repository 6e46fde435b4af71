import { randomUUID } from 'node:crypto'
import type { ArtifactRole } from '../../protocol/documents/submission-manifest.ts'
import { isGenericType, kindOfFile } from '../domain/artifacts/file-types.ts'
import { mediaKindOf } from '../domain/artifacts/media-kind.ts'
import { PREVIEW_BYTES, textPreviewOf } from '../domain/artifacts/text-preview.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { ArtifactDeps } from './artifact-deps.ts'
import type { ArtifactRow } from './artifacts.queries.ts'
import type { FileHashes } from './hashing/file-hashes.ts'
import { claimRefusedFiles, recordDeleted } from './retention.queries.ts'
import { insertStoredFiles } from './stored-files.queries.ts'

/** A file of a submission, whose bytes can come from any source. */
export interface IncomingFile {
  fileName: string
  mimeType: string
  role: ArtifactRole
  /**
   * Stores the bytes under the artifact's id and returns the hashes. Returns a refusal if the bytes differ from the
   * size or the hashes that the submission declares.
   */
  keep: (artifactId: string) => Promise<FileHashes | Refusal>
}

/** The stored files of a submission. `remove` deletes the files that are not bound to a write. */
export interface StoredArtifacts {
  rows: ArtifactRow[]
  remove(): Promise<void>
}

/**
 * Stores the files of a submission under new ids, in the order of the request. If one file is refused or fails, no file
 * is stored.
 * @throws StorageFullError
 */
export async function storeArtifacts(
  deps: ArtifactDeps,
  files: readonly IncomingFile[],
): Promise<StoredArtifacts | Refusal> {
  const ids = files.map(() => randomUUID())
  const remove = () => deleteStored(deps, ids)
  await insertStoredFiles(deps.sql, ids)
  try {
    const rows: ArtifactRow[] = []
    for (const [displayOrder, { keep, fileName, mimeType, role }] of files.entries()) {
      const id = ids[displayOrder] as string
      const fileHashes = await keep(id)
      if ('failure' in fileHashes) {
        await remove()
        return fileHashes
      }
      const { sizeBytes, sha256Hash, keccak256Hash } = fileHashes
      const { mediaKind, textPreview } = await describeContent(deps, id, { fileName, mimeType }, fileHashes)
      const hashes = { sha256Hash, keccak256Hash }
      rows.push({ id, displayOrder, role, fileName, mimeType, mediaKind, sizeBytes, ...hashes, textPreview })
    }
    deps.reach('after-store')
    return { rows, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Deletes the bytes of stored files that are not bound to a write. The rows remain, because a request to the storage
 * may still be writing the bytes. The retention pass later deletes the bytes again, and then the rows.
 */
async function deleteStored({ sql, storage, log }: ArtifactDeps, ids: readonly string[]): Promise<void> {
  try {
    const claimedIds = await claimRefusedFiles(sql, ids)
    await Promise.all(claimedIds.map((id) => storage.remove({ area: 'artifacts', id })))
    await recordDeleted(sql, 'artifacts', claimedIds)
  } catch (error) {
    log.warn({ err: error }, 'refused files not removed')
  }
}

/** Returns the kind of a file's content and its text preview. Web pages display both. */
async function describeContent(
  { storage }: ArtifactDeps,
  id: string,
  declaredFile: Pick<IncomingFile, 'fileName' | 'mimeType'>,
  { sizeBytes }: FileHashes,
): Promise<Pick<ArtifactRow, 'mediaKind' | 'textPreview'>> {
  const declaredKind = mediaKindOf(declaredFile.mimeType)
  const isReadable = declaredKind === 'text' || isGenericType(declaredFile.mimeType)
  if (!isReadable || sizeBytes === 0) return { mediaKind: declaredKind, textPreview: null }
  const end = Math.min(sizeBytes, PREVIEW_BYTES) - 1
  const stream = await storage.open({ area: 'artifacts', id }, { start: 0, end })
  if (stream === null) throw new Error(`the artifact ${id} is gone while it is stored`)
  const beginning = new Uint8Array(await new Response(stream).arrayBuffer())
  const isCut = sizeBytes > beginning.length
  const mediaKind = kindOfFile(declaredFile, beginning, isCut)
  return { mediaKind, textPreview: textPreviewOf(mediaKind, beginning, isCut) }
}
