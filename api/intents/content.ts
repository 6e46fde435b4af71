import type { Address, Hex } from 'viem'
import type { SubmissionVisibility, TaskVisibility } from '../../protocol/visibilities.ts'
import type { ArtifactRow } from '../artifacts/artifacts.queries.ts'

/** The off-chain text of a task, keyed by its requester and hash. */
export interface TaskContentRow {
  requester: Address
  contentHash: Hex
  /** The exact bytes the hash was made of. */
  document: string
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
  /** Who may open it; of a private task's creation alone. */
  access?: TaskAccessContent
}

/** Who may see a private task from its beginning. */
export interface TaskAccessContent {
  /** As `Passwords` makes it; null: none. */
  passwordHash: string | null
  /** At most 50, each once, lower case. */
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
  /** Ids of the uploads that it uses up; none unless given. */
  uploads?: string[]
  /** Rows of the ledger of bytes that it stores; none unless given. */
  byteCharges?: string[]
}

/** The text behind a pitch. The same may be sent again: it has the same hash. */
export interface PitchContentRow {
  pitchId: Hex
  taskId: Hex
  worker: Address
  pitchText: string
  /** Seconds. */
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

/** A task drop as it is made. */
export interface TaskDropRow {
  id: string
  owner: Address
  name: string
  description: string | null
  /** Time of the chain head, Unix seconds. */
  createdAt: bigint
}

/** A new task's place in a drop, which is there already or made by the same write. */
export interface TaskDropMemberRow {
  dropId: string
  requester: Address
  createdContentHash: Hex
  taskVisibility: TaskContentRow['taskVisibility']
}

/** What a write stores off chain, in the transaction that binds it. */
export interface ContentRows {
  task?: TaskContentRow
  submission?: SubmissionContentRow
  pitch?: PitchContentRow
  proof?: ProofContentRow
  feedback?: FeedbackContentRow
  taskDrop?: TaskDropRow
  taskDropMember?: TaskDropMemberRow
}
