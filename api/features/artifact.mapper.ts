import type { Address, Hex } from 'viem'
import type { ArtifactRecord } from '../artifacts/artifacts.queries.ts'
import { type SignedUrls, URL_LIFETIME_SECONDS } from '../artifacts/storage/signed-urls.ts'
import { MAX_PREVIEW } from '../domain/artifacts/text-preview.ts'
import { toVisibleText } from '../domain/artifacts/visible-text.ts'
import { toAddress, toTimestamp } from '../http/response-schemas.ts'
import type { Artifact } from './artifact.schemas.ts'

/** The submission that contains a file, and the worker of the submission. */
export interface DeliveredBy {
  taskId: Hex
  submissionId: Hex
  worker: Address
  /** The worker's ERC-8004 id, or null if the worker has none. */
  agentId: bigint | null
}

/** The values from which signed URLs of files are made. */
export interface ArtifactView {
  links: SignedUrls
  /** The time of the latest block, in Unix seconds. */
  now: bigint
}

/**
 * The kinds of files that get a preview URL, for each value of the parameter `previews`. Only kinds that a browser can
 * show are listed.
 */
export const previewedKinds = {
  showable: ['image', 'video', 'audio', 'pdf', 'text'],
  media: ['image', 'video', 'audio'],
  none: [],
} as const satisfies Record<string, readonly Artifact['mediaKind'][]>
export type Previews = keyof typeof previewedKinds

/**
 * Returns the public form of a delivered file. The caller of this function must first check that the reader may see the
 * file.
 */
export function toArtifact(
  by: DeliveredBy,
  file: ArtifactRecord,
  { previews, ...view }: ArtifactView & { previews: Previews },
): Artifact {
  const kinds: readonly string[] = previewedKinds[previews]
  return {
    id: file.id,
    taskId: by.taskId,
    submissionId: by.submissionId,
    workerAddress: toAddress(by.worker),
    workerAgentId: by.agentId?.toString() ?? null,
    role: file.role as Artifact['role'],
    fileName: file.fileName,
    mimeType: file.mimeType,
    mediaKind: file.mediaKind as Artifact['mediaKind'],
    storageUri: `artifact:${file.id}`,
    sizeBytes: Number(file.sizeBytes),
    sha256Hash: file.sha256Hash,
    keccak256Hash: file.keccak256Hash,
    displayOrder: file.displayOrder,
    ...(file.textPreview !== null && { textPreview: toVisibleText(file.textPreview, MAX_PREVIEW) }),
    ...(kinds.includes(file.mediaKind) && toPreview(file.id, view)),
  }
}

function toPreview(artifactId: string, view: ArtifactView): Pick<Artifact, 'previewUrl' | 'previewExpiresAt'> {
  const { url, expiresAt } = toFileUrl(artifactId, view)
  return { previewUrl: url, previewExpiresAt: expiresAt }
}

/** Returns a signed URL of a file's bytes and the time when the URL expires. */
export function toFileUrl(artifactId: string, { links, now }: ArtifactView): { url: string; expiresAt: string } {
  const expiresAt = now + URL_LIFETIME_SECONDS
  return { url: links.toArtifact(artifactId, Number(expiresAt)), expiresAt: toTimestamp(expiresAt) }
}
