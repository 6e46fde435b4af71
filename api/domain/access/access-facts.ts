import type { Address } from 'viem'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'

/** The facts that decide who sees a task and acts on it. Addresses are in lower case. */
export interface TaskAccessFacts {
  requester: Address
  taskVisibility: TaskVisibility
  evaluator: Address | null
  disputeResolver: Address | null
  /** The assigned and the awarded workers of a private task; empty for other tasks. */
  participants: readonly Address[]
  /** The wallets that the requester of a private task invited; empty for other tasks. */
  viewers: readonly Address[]
}

/** The facts that decide which rows of a task a caller sees. */
export interface RowAccessFacts extends TaskAccessFacts {
  status: string
  submissionVisibility: SubmissionVisibility
  /** The evaluator's verdict; null before it, and without an evaluator. */
  verdict: Verdict | null
  /** Workers of settled awards, by rank; empty before completion. */
  awardedWorkers: readonly Address[]
}

/** The caller of a request. */
export interface Viewer {
  /** The proven address, in lower case; null: anonymous. */
  address: Address | null
  /** True with a valid grant for this task. */
  holdsGrant: boolean
}
