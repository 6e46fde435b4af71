import type { Address, Hex } from 'viem'
import type { HashedDocument } from '../documents/canonical-json.ts'
import { type ManifestArtifact, toSubmissionManifest } from '../documents/submission-manifest.ts'

/** A file of a submission, whose place in the request is its place in the manifest. */
type HashedFile = Omit<ManifestArtifact, 'displayOrder'>

/** The parts of a submission that its manifest is made of. */
interface HashedSubmission {
  taskId: Hex
  artifacts: readonly HashedFile[]
  documentSalt: Hex
}

/** Makes the manifest that a submission of `worker` commits to: its hash is the deliverable. */
export function documentOfSubmission(
  { taskId, artifacts, documentSalt }: HashedSubmission,
  worker: Address,
): HashedDocument {
  const files = artifacts.map((file, displayOrder) => ({ ...file, displayOrder }))
  return toSubmissionManifest({ taskId, worker, artifacts: files }, documentSalt)
}
