import type { Address } from 'viem'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'

/** What decides who may see a task and act on it. Addresses lower case. */
export interface TaskAccessFacts {
  requester: Address
  taskVisibility: TaskVisibility
  evaluator: Address | null
  disputeResolver: Address | null
  /** Of a private task, else empty: who is assigned (by a claim or auction of this service, or else) or awarded. */
  participants: readonly Address[]
  /** Of a private task, else empty: whom its requester invited. */
  viewers: readonly Address[]
}

/** What else decides whose rows of it a caller sees. */
export interface RowAccessFacts extends TaskAccessFacts {
  status: string
  submissionVisibility: SubmissionVisibility
  /** The evaluator's; null before, and without one. */
  verdict: Verdict | null
  /** Workers of settled awards, by rank; empty before completion. */
  awardedWorkers: readonly Address[]
}

/** Who asks. */
export interface Viewer {
  /** Lower case; null: anonymous. */
  address: Address | null
  /** The caller holds a grant for this task that is valid now. */
  holdsGrant: boolean
}
