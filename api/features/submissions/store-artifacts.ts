import { randomUUID } from 'node:crypto'
import { mediaKindOf } from '../../domain/artifacts/media-kind.ts'
import { textPreviewOf } from '../../domain/artifacts/text-preview.ts'
import type { ArtifactStore } from '../../storage/artifact-store.ts'
import type { ArtifactRow } from '../../writes/content.ts'
import type { CreateSubmissionBody } from './create-submission.schemas.ts'
import { hashFile } from './hash-file.ts'

/** Files in storage, and the way to take them back. */
export interface StoredArtifacts {
  rows: ArtifactRow[]
  remove(): Promise<void>
}

/**
 * Puts the files of a submission into storage under ids of the service's own, in the order they came in. All of them
 * or, when one fails, none.
 * @throws StorageFullError
 */
export async function storeArtifacts(
  store: ArtifactStore,
  artifacts: CreateSubmissionBody['artifacts'],
): Promise<StoredArtifacts> {
  const ids: string[] = []
  const remove = async () => {
    await Promise.all(ids.map((id) => store.remove(id)))
  }
  try {
    const rows: ArtifactRow[] = []
    for (const [displayOrder, { file, ...described }] of artifacts.entries()) {
      const id = randomUUID()
      const mediaKind = mediaKindOf(described.mimeType)
      const hashes = await hashFile(file)
      ids.push(id)
      await store.put(id, file)
      const textPreview = textPreviewOf(mediaKind, file)
      rows.push({ id, ...described, ...hashes, mediaKind, sizeBytes: file.length, displayOrder, textPreview })
    }
    return { rows, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
