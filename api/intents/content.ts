import type { Address, Hex } from 'viem'
import type { SubmissionVisibility, TaskVisibility } from '../../protocol/visibilities.ts'
import type { ArtifactRow } from '../artifacts/artifacts.queries.ts'

/** The off-chain content of a task, stored under its requester and hash. */
export interface TaskContentRow {
  requester: Address
  contentHash: Hex
  /** The text of the task document, exactly as it was hashed. */
  document: string
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
  /** The access rules of a private task. They are set when the task is created and never change. */
  access?: TaskAccessContent
}

/** The access rules of a private task at its creation. */
export interface TaskAccessContent {
  /** The password hash that `Passwords` computes; null if the task has no password. */
  passwordHash: string | null
  /** The addresses of at most 50 viewers, in lower case. No address occurs twice. */
  viewers: Address[]
}

/**
 * The manifest of a submission, with the submission's files. The submission's deliverable is the hash of the manifest.
 */
export interface SubmissionContentRow {
  taskId: Hex
  worker: Address
  deliverable: Hex
  manifest: string
  signature: string
  artifacts: ArtifactRow[]
  /** The ids of the uploads that the submission uses. Default: none. */
  uploads?: string[]
  /** The ids of the byte-ledger rows that count the submission's bytes. Default: none. */
  byteCharges?: string[]
}

/** The text of a pitch, stored by its hash. Equal texts have the same hash. */
export interface PitchContentRow {
  pitchId: Hex
  taskId: Hex
  worker: Address
  pitchText: string
  /** The worker's estimate of the duration, in seconds. Null if the worker gave no estimate. */
  estimatedDuration: bigint | null
}

/** The data whose hash a proof contains. */
export interface ProofContentRow {
  proofId: Hex
  taskId: Hex
  worker: Address
  proofData: string
}

/** The feedback file whose hash a rating contains. */
export interface FeedbackContentRow {
  taskId: Hex
  worker: Address
  feedbackHash: Hex
  body: string
  feedbackText: string
}

/** A new task drop, which is a named group of tasks. */
export interface TaskDropRow {
  id: string
  owner: Address
  name: string
  description: string | null
  /** The creation time of the task drop: the timestamp of the latest block, in Unix seconds. */
  createdAt: bigint
}

/** A new task's membership in a task drop. The drop exists already or is created by the same write. */
export interface TaskDropMemberRow {
  dropId: string
  requester: Address
  createdContentHash: Hex
  taskVisibility: TaskContentRow['taskVisibility']
}

/** The off-chain content of a write. It is stored in the transaction that binds the write. */
export interface ContentRows {
  task?: TaskContentRow
  submission?: SubmissionContentRow
  pitch?: PitchContentRow
  proof?: ProofContentRow
  feedback?: FeedbackContentRow
  taskDrop?: TaskDropRow
  taskDropMember?: TaskDropMemberRow
}
