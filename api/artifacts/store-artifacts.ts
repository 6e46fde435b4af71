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

/** A file of a submission, wherever its bytes come from. */
export interface IncomingFile {
  fileName: string
  mimeType: string
  role: ArtifactRole
  /** Puts its bytes under the artifact's name and says what they are; a refusal when they are not what was said. */
  keep: (artifactId: string) => Promise<FileHashes | Refusal>
}

/** Files in storage, and the way to take them back. */
export interface StoredArtifacts {
  rows: ArtifactRow[]
  remove(): Promise<void>
}

/**
 * Puts the files of a submission into storage under ids of the service's own, in the order they came in: each is noted
 * before its first byte. All of them or, when one is refused or fails, none.
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
      const kept = await keep(id)
      if ('failure' in kept) {
        await remove()
        return kept
      }
      const { sizeBytes, sha256Hash, keccak256Hash } = kept
      const { mediaKind, textPreview } = await describeContent(deps, id, { fileName, mimeType }, kept)
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
 * What is bound after all stays. The rows stay for a while, too: a storage that was given up on may still be writing,
 * and the sweep removes that with them. It also does what fails here.
 */
async function deleteStored({ sql, storage, log }: ArtifactDeps, ids: readonly string[]): Promise<void> {
  try {
    const taken = await claimRefusedFiles(sql, ids)
    await Promise.all(taken.map((id) => storage.remove({ area: 'artifacts', id })))
    await recordDeleted(sql, 'artifacts', taken)
  } catch (error) {
    log.warn({ err: error }, 'files of a refused write are left to the sweep')
  }
}

/** What a viewer is told of the file besides its hashes. */
async function describeContent(
  { storage }: ArtifactDeps,
  id: string,
  named: Pick<IncomingFile, 'fileName' | 'mimeType'>,
  { sizeBytes }: FileHashes,
): Promise<Pick<ArtifactRow, 'mediaKind' | 'textPreview'>> {
  const declared = mediaKindOf(named.mimeType)
  const isReadable = declared === 'text' || isGenericType(named.mimeType)
  if (!isReadable || sizeBytes === 0) return { mediaKind: declared, textPreview: null }
  const end = Math.min(sizeBytes, PREVIEW_BYTES) - 1
  const stream = await storage.open({ area: 'artifacts', id }, { start: 0, end })
  if (stream === null) throw new Error(`the artifact ${id} is gone while it is stored`)
  const beginning = new Uint8Array(await new Response(stream).arrayBuffer())
  const isCut = sizeBytes > beginning.length
  const mediaKind = kindOfFile(named, beginning, isCut)
  return { mediaKind, textPreview: textPreviewOf(mediaKind, beginning, isCut) }
}
