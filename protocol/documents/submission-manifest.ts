import { type Address, getAddress, type Hex } from 'viem'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** Roles of a delivered file. */
export const artifactRoles = ['preview', 'source', 'final', 'attachment'] as const
export type ArtifactRole = (typeof artifactRoles)[number]
/** The role of a file that is sent without one. */
export const DEFAULT_ROLE: ArtifactRole = 'final'

/** The content of a manifest: the files to which a worker commits. */
export interface ManifestArtifact {
  displayOrder: number
  fileName: string
  mimeType: string
  role: ArtifactRole
  sizeBytes: number
  /** 64 lower-case hex digits. */
  sha256Hash: string
  keccak256Hash: Hex
}

/** The parts of a manifest: the files that a worker commits to. */
export interface Manifest {
  taskId: Hex
  worker: Address
  artifacts: readonly ManifestArtifact[]
}

/**
 * Builds the manifest behind a deliverable, schema `service-artifacts-v1`. Spec, "Content verification (raw bytes)": keys sorted
 * at top level and per artifact, artifacts by displayOrder, no whitespace, UTF-8. The salt (32 random bytes) makes every
 * deliverable unique: the same files can be delivered twice.
 * Example: `{"artifacts":[{"displayOrder":0,"fileName":"haiku.txt",...}],"salt":"0x5a..","schema":"service-artifacts-v1",...}`.
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
