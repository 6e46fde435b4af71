import type { Hex, PrivateKeyAccount } from 'viem'
import type { Operations, PreparedWrite, Reached } from './client/operations.ts'
import type { Outcome } from './client/outcome.ts'
import type { Environment } from './environment/environment.ts'
import type { Replica } from './environment/replica.ts'
import type { Random } from './random.ts'

/** API processes on one Postgres. */
export type Topology = 1 | 2

/**
 * One row of the fault matrix: a fault, what it is done to, and on how many API processes. A file of test/faults/fault cases
 * exports its own as `fault cases`; the runner finds it there.
 */
export interface FaultCase {
  /** Unique, and a good `--case`: `kill after-bind, create, 2 processes`. */
  name: string
  topology: Topology
  /** Part of the short profile too. */
  short: boolean
  /**
   * The fault leaves the service unable to answer for a while: then "nothing was charged, the same key again" (503, or
   * 500 `payment_rejected`, or 507) is a right answer. Without it, every answer of 500 and above but
   * `intent_completion_deferred` is a violation.
   */
  isOutage?: boolean
  /** It breaks what others need (rewinds the chain, moves its clock, ends Postgres): it runs in an environment of its own. */
  needsOwnEnvironment?: boolean
  /** How many of its processes must be up when it begins; the others are down then. Default: all. */
  fewest?: number
  /** Deadline of the whole fault case, milliseconds. Default 120,000. */
  deadlineMs?: number
  /** More settings of api/config.ts for its processes. */
  settings?: Record<string, string>
  /**
   * Injects the fault while writes are under way. Every process is up again, and every write has its outcome, when it
   * resolves; the checker looks after that. Throws only when the fault could not be injected, or on a wrong answer
   * that no check of the checker would see.
   */
  run(context: FaultContext): Promise<void>
}

/** What a fault case works with. Everything it does with it is evidence for the checker. */
export interface FaultContext {
  environment: Environment
  /** The same for the same seed and fault case, whatever ran before. */
  random: Random
  /** As many as the topology says; healthy, and without a failpoint. */
  replicas: readonly Replica[]
  operations: Operations
  /**
   * Writes of a class on fresh wallets, ready to be performed. What they need (a task to cancel, a delivery to accept)
   * is made through the service now, while it is healthy.
   */
  prepare(operation: keyof Operations, count?: number): Promise<PreparedWrite[]>
  /** A new wallet, with so many base units of USDC. */
  wallet(baseUnits: bigint): Promise<PrivateKeyAccount>
  /** This process, or one that is up, for requests that are no writes of the pipeline. */
  reach(replica?: Replica): Promise<Reached>
  /** A write that the fault case made itself, ready to be performed. */
  adopt(draft: Omit<PreparedWrite, 'id' | 'class'>, className: string): PreparedWrite
  /**
   * Performs a write as a client does who follows the interface: repeats the request with the same key when it gets no
   * answer, looks the key up when it is told to, and ends with one definite outcome (or `undecided` at the deadline,
   * which is a violation). Goes to `replicas` in turn, to those that are up.
   */
  perform(write: PreparedWrite): Promise<Outcome>
  /** Sends every request to this one while it is up; null: in turn. */
  prefer(replica: Replica | null): void
  /** Resolves when no intent is on its way and every nonce sequence is closed. Throws at its deadline. */
  quiesce(): Promise<void>
  /** Resolves once `condition` returns something else than null and false; throws at the deadline (15 s). */
  until<Value>(
    what: string,
    condition: () => Promise<Value | null | false> | Value | null | false,
    deadlineMs?: number,
  ): Promise<Value>
  /** How long it took from the repair (a restart, a mended connection) to the outcome, milliseconds. */
  noteRecovery(milliseconds: number): void
  /** A transaction that the fault case itself sent with a relayer's key: no fault of the service. */
  noteForeignTransaction(hash: Hex): void
  /** An authorization that the fault case itself used or settled outside the service. */
  noteForeignSettlement(nonce: Hex): void
  /** Something for the report's line of this fault case. */
  note(text: string): void
}
