import type { Address, Hex } from 'viem'
import type { HashedDocument } from '../documents/canonical-json.ts'
import { type ManifestArtifact, toSubmissionManifest } from '../documents/submission-manifest.ts'

/** A file of a submission. Its position in the request is its position in the manifest. */
type HashedFile = Omit<ManifestArtifact, 'displayOrder'>

/** The parts of a submission that its manifest contains. */
interface HashedSubmission {
  taskId: Hex
  artifacts: readonly HashedFile[]
  documentSalt: Hex
}

/**
 * Builds the manifest to which a submission of `worker` commits: its hash is the deliverable.
 * Example: `{ text: '{"artifacts":[{"displayOrder":0,"fileName":"haiku.txt",...', hash: '0x0bb8..' }`.
 */
export function documentOfSubmission(
  { taskId, artifacts, documentSalt }: HashedSubmission,
  worker: Address,
): HashedDocument {
  const files = artifacts.map((file, displayOrder) => ({ ...file, displayOrder }))
  return toSubmissionManifest({ taskId, worker, artifacts: files }, documentSalt)
}
