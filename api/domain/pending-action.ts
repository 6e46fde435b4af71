import type { Address } from 'viem'
import type { ActionName } from '../../protocol/actions.ts'

export const roles = ['requester', 'worker', 'evaluator', 'dispute_resolver', 'anyone'] as const
export type ActionRole = (typeof roles)[number]

/** Something that may be done to a task now. Addresses lower case, amounts in base units, times in Unix seconds. */
export interface PendingAction {
  /** Descriptive, not authorization. */
  role: ActionRole
  action: ActionName
  /** Command line of the client tool; placeholders in angle brackets. Interface, "pendingActions commands". */
  command: string
  /** The one wallet that may act; null: any account of the role. */
  eligibleAddress: Address | null
  requiresPayment: boolean
  /** The least it costs; null when it is free. */
  paymentAmount: bigint | null
  /** It is possible from then on, and until then (that moment not included); null: no bound. */
  availableAfter: bigint | null
  availableUntil: bigint | null
  /** Whom a `rate` is about; null otherwise. */
  targetWorker: Address | null
}
