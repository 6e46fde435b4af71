import type { Hex } from 'viem'
import type { Preparation, PreparedWrite, Reached } from './client/operations.ts'
import type { Outcome } from './client/outcome.ts'
import type { Environment } from './environment/environment.ts'
import type { Replica } from './environment/replica.ts'

/** API processes on one Postgres. */
export type Topology = 1 | 2

/**
 * One row of the fault matrix: a fault, the writes it is injected into, and the number of API processes. A file of
 * test/faults/cases exports its own as `faultCases`; the runner finds them there.
 */
export interface FaultCase {
  /** Unique; the argument of `--case`: `kill after-bind, create, 2 processes`. */
  name: string
  topology: Topology
  /** Also part of the short profile. */
  short: boolean
  /**
   * The fault leaves the service unable to answer for a while: then "nothing was charged, the same key again" (503, or
   * 500 `payment_rejected`, or 507) is a correct answer. Without it, every answer of 500 and above but
   * `intent_completion_deferred` is a violation.
   */
  isOutage?: boolean
  /** It breaks what others need (rewinds the chain, moves its clock, ends Postgres): it runs in its own environment. */
  needsOwnEnvironment?: boolean
  /** No other can follow in its environment, but others can precede it: it is the last of a shared one. */
  endsEnvironment?: boolean
  /** Its API processes use `environment.nodes`, and the indexer may. */
  hasSeveralNodes?: boolean
  /** How many of its processes are up when it begins; the others are down. Default: all. */
  fewest?: number
  /** Deadline of the whole fault case, milliseconds. Default 120,000. */
  deadlineMs?: number
  /** More settings of settings/table.ts for its processes. */
  settings?: Record<string, string>
  /** What this machine lacks to run it, as a part of a sentence; null: nothing. Default: nothing. */
  findObstacle?(): Promise<string | null>
  /**
   * Injects the fault during writes. Every process is up again, and every write has its outcome, when it resolves; the
   * checker runs after that. Throws only when the fault could not be injected, or on a wrong answer that no check of
   * the checker would find.
   */
  run(context: FaultCaseContext): Promise<void>
}

/** The means of a fault case. Every use of them is evidence for the checker. */
export interface FaultCaseContext extends Pick<Preparation, 'random' | 'wallet' | 'now'> {
  environment: Environment
  /** As many as the topology; healthy, and without a failpoint. */
  replicas: readonly Replica[]
  /**
   * Writes of a class on new wallets, ready to be performed. What they need (a task to cancel, a delivery to accept) is
   * made through the service now, while it is healthy.
   */
  prepare(className: string, count?: number): Promise<PreparedWrite[]>
  /** This process, or one that is up, for requests that are no writes of the pipeline. */
  reach(replica?: Replica): Promise<Reached>
  /**
   * Performs a write as a client that follows the interface: repeats the request with the same key when it gets no
   * answer, reads the intent when the answer says so, and ends with one definite outcome (or `undecided` at the deadline,
   * which is a violation). Requests go to the `replicas` that are up, round robin.
   */
  perform(write: PreparedWrite): Promise<Outcome>
  /** Sends every request to this one while it is up; null: round robin. */
  prefer(replica: Replica | null): void
  /** Resolves when no intent is unfinished and every nonce sequence is complete. Throws at its deadline. */
  quiesce(): Promise<void>
  /** Resolves once `condition` returns something else than null and false; throws at the deadline (15 s). */
  until<Value>(
    what: string,
    condition: () => Promise<Value | null | false> | Value | null | false,
    deadlineMs?: number,
  ): Promise<Value>
  /** Time from the repair (a restart, a restored connection) to the outcome, milliseconds. */
  noteRecovery(milliseconds: number): void
  /** A relayer's transaction that the fault case itself sent, or whose rows it took away: no violation. */
  noteForeignTransaction(hash: Hex): void
  /** An authorization that the fault case itself used or settled outside the service. */
  noteForeignSettlement(nonce: Hex): void
  /** A text for the report's line of this fault case. */
  note(text: string): void
}
