import type { Address } from 'viem'
import type { ActionName } from '../../protocol/actions.ts'

export const roles = ['requester', 'worker', 'evaluator', 'dispute_resolver', 'anyone'] as const
export type ActionRole = (typeof roles)[number]

/** An action that is possible on a task. Addresses in lower case, amounts in base units, times in Unix seconds. */
export interface PendingAction {
  /** The role of the actor; it describes and authorizes nothing. */
  role: ActionRole
  action: ActionName
  /** The command line of the client tool; placeholders in angle brackets. Interface, "pendingActions commands". */
  command: string
  /** The one wallet that may act; null: any account of the role. */
  eligibleAddress: Address | null
  requiresPayment: boolean
  /** The lowest price; null: free. */
  paymentAmount: bigint | null
  /** The bounds of `availableAfter <= now < availableUntil`; null: no bound. */
  availableAfter: bigint | null
  availableUntil: bigint | null
  /** The worker of a `rate`; null otherwise. */
  targetWorker: Address | null
}
