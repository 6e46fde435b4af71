import type { Address, Hex } from 'viem'
import type { SubmissionVisibility, TaskVisibility } from '../../protocol/visibilities.ts'
import type { ArtifactRow } from '../artifacts/artifacts.queries.ts'

/** The off-chain text of a task, keyed by its requester and hash. */
export interface TaskContentRow {
  requester: Address
  contentHash: Hex
  /** The exact hashed bytes. */
  document: string
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
  /** The access to a private task, set at its creation only. */
  access?: TaskAccessContent
}

/** The accounts that see a private task from its creation. */
export interface TaskAccessContent {
  /** The hash made by `Passwords`; null: no password. */
  passwordHash: string | null
  /** At most 50 distinct viewers, lower case. */
  viewers: Address[]
}

/** The manifest behind a deliverable, with its files. */
export interface SubmissionContentRow {
  taskId: Hex
  worker: Address
  deliverable: Hex
  manifest: string
  signature: string
  artifacts: ArtifactRow[]
  /** The ids of the uploads that it uses; by default none. */
  uploads?: string[]
  /** The rows of the byte ledger that it stores; by default none. */
  byteCharges?: string[]
}

/** The text behind a pitch. A repeated text has the same hash. */
export interface PitchContentRow {
  pitchId: Hex
  taskId: Hex
  worker: Address
  pitchText: string
  /** The estimate in seconds. */
  estimatedDuration: bigint | null
}

/** The data behind a proof. */
export interface ProofContentRow {
  proofId: Hex
  taskId: Hex
  worker: Address
  proofData: string
}

/** The feedback file behind a rating. */
export interface FeedbackContentRow {
  taskId: Hex
  worker: Address
  feedbackHash: Hex
  body: string
  feedbackText: string
}

/** A new task drop. */
export interface TaskDropRow {
  id: string
  owner: Address
  name: string
  description: string | null
  /** The time of the chain head, Unix seconds. */
  createdAt: bigint
}

/** A new task's membership in an existing drop, or in one of the same write. */
export interface TaskDropMemberRow {
  dropId: string
  requester: Address
  createdContentHash: Hex
  taskVisibility: TaskContentRow['taskVisibility']
}

/** The off-chain content of a write, stored in the transaction that binds it. */
export interface ContentRows {
  task?: TaskContentRow
  submission?: SubmissionContentRow
  pitch?: PitchContentRow
  proof?: ProofContentRow
  feedback?: FeedbackContentRow
  taskDrop?: TaskDropRow
  taskDropMember?: TaskDropMemberRow
}
