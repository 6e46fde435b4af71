import type { Address } from 'viem'
import type { ActionName } from '../../protocol/actions.ts'

export const roles = ['requester', 'worker', 'evaluator', 'dispute_resolver', 'anyone'] as const
export type ActionRole = (typeof roles)[number]

/**
 * An action that is possible on a task. Addresses are in lower case, amounts in USDC base units, times in Unix seconds.
 */
export interface PendingAction {
  /** The role of the actor. The role is only a description and gives no rights. */
  role: ActionRole
  action: ActionName
  /**
   * The command line for the project's client. The caller fills in the values in angle brackets. See the interface
   * specification, "pendingActions commands".
   */
  command: string
  /** The only wallet that may act. Null if any account with the role may act. */
  eligibleAddress: Address | null
  requiresPayment: boolean
  /** The lowest payment for the action: the fee plus the stake. Null if the action is free. */
  paymentAmount: bigint | null
  /** The first time at which the action is possible. Null if the action has no such time. */
  availableAfter: bigint | null
  /** The first time at which the action is no longer possible. Null if the action has no end. */
  availableUntil: bigint | null
  /** The worker whom a `rate` action rates; null for other actions. */
  targetWorker: Address | null
}
