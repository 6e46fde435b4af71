import type { Address, Hex } from 'viem'
import type { HashedDocument } from '../documents/canonical-json.ts'
import { type ManifestArtifact, toSubmissionManifest } from '../documents/submission-manifest.ts'

/**
 * A file of a submission with its size and hashes. The index of the file in the request is the file's `displayOrder`.
 */
type HashedFile = Omit<ManifestArtifact, 'displayOrder'>

/** The parts of a submission that the manifest contains. */
interface HashedSubmission {
  taskId: Hex
  artifacts: readonly HashedFile[]
  documentSalt: Hex
}

/**
 * Builds the manifest of a submission by `worker`. The manifest's hash is the deliverable to which the worker commits.
 * Example: `{ text: '{"artifacts":[{"displayOrder":0,"fileName":"haiku.txt",...', hash: '0x0bb8..' }`.
 */
export function documentOfSubmission(
  { taskId, artifacts, documentSalt }: HashedSubmission,
  worker: Address,
): HashedDocument {
  const files = artifacts.map((file, displayOrder) => ({ ...file, displayOrder }))
  return toSubmissionManifest({ taskId, worker, artifacts: files }, documentSalt)
}
