import type { Address } from 'viem'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'

/** The facts of a task that decide who may see the task and who may act on the task. Addresses are in lower case. */
export interface TaskAccessFacts {
  requester: Address
  taskVisibility: TaskVisibility
  evaluator: Address | null
  disputeResolver: Address | null
  /** The assigned worker and the awarded workers of a private task; empty for other tasks. */
  participants: readonly Address[]
  /** The wallets that the requester of a private task invited. Empty for a public or unlisted task. */
  viewers: readonly Address[]
}

/** The facts of a task that decide which submissions a caller may read. */
export interface RowAccessFacts extends TaskAccessFacts {
  status: string
  submissionVisibility: SubmissionVisibility
  /** The evaluator's verdict. Null if there is no verdict or no evaluator. */
  verdict: Verdict | null
  /** The workers of the settled awards, ordered by rank; empty before the task is completed. */
  awardedWorkers: readonly Address[]
}

/** The caller of a request. */
export interface Viewer {
  /** The caller's proven address in lower case; null for an anonymous caller. */
  address: Address | null
  /** True if the caller presents a valid access grant for this task. */
  holdsGrant: boolean
}
