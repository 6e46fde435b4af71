import { type Address, getAddress, type Hex } from 'viem'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** Roles of a delivered file. */
export const artifactRoles = ['preview', 'source', 'final', 'attachment'] as const
export type ArtifactRole = (typeof artifactRoles)[number]
/** The role of a file for which the request names no role. */
export const DEFAULT_ROLE: ArtifactRole = 'final'

/** One file in a manifest. */
export interface ManifestArtifact {
  displayOrder: number
  fileName: string
  mimeType: string
  role: ArtifactRole
  sizeBytes: number
  /** SHA-256 of the file's bytes, 64 lower-case hex digits without 0x. */
  sha256Hash: string
  keccak256Hash: Hex
}

/** The content of a manifest: the task, the worker, and the files to which the worker commits. */
export interface Manifest {
  taskId: Hex
  worker: Address
  artifacts: readonly ManifestArtifact[]
}

/**
 * Builds the manifest of a submission in the schema `service-artifacts-v1` (specification, "Content verification (raw
 * bytes)"). The keccak256 hash of the manifest is the submission's deliverable. The manifest is canonical JSON, with
 * the files sorted by `displayOrder`.
 * Example:
 * `{"artifacts":[{"displayOrder":0,"fileName":"haiku.txt",...}],"salt":"0x5a..","schema":"service-artifacts-v1",...}`.
 * @param salt 32 random bytes; with a different salt the same files have a different deliverable, so that a worker can
 * submit them again
 */
export function toSubmissionManifest({ taskId, worker, artifacts }: Manifest, salt: Hex): HashedDocument {
  return hashDocument({
    artifacts: artifacts
      .toSorted((a, b) => a.displayOrder - b.displayOrder)
      .map(({ displayOrder, fileName, keccak256Hash, mimeType, role, sha256Hash, sizeBytes }) => ({
        displayOrder,
        fileName,
        keccak256Hash,
        mimeType,
        role,
        sha256Hash,
        sizeBytes,
      })),
    salt,
    schema: 'service-artifacts-v1',
    taskId,
    workerAddress: getAddress(worker),
  })
}
