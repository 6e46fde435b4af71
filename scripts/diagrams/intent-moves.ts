import type { IntentStatus } from '../../protocol/intent-statuses.ts'

/**
 * A statement of `api/intents` that changes the status of an intent (the stored record of a write). In `from` and `to`,
 * \`[*]\` means that no row exists.
 */
export interface IntentMove {
  from: readonly (IntentStatus | '[*]')[]
  to: IntentStatus | '[*]'
  cause: string
  /** Name of the function with the statement, or of the SQL function. */
  statement: string
}

const undecidedStates = ['recorded', 'broadcast', 'held'] as const

/**
 * The status changes before a write is bound to its payment, and the one for a payment that belongs to no write of the
 * service.
 */
export const openingMoves: readonly IntentMove[] = [
  { from: ['[*]'], to: 'reserved', cause: 'first request with the key', statement: 'reserveIntent' },
  { from: ['reserved'], to: '[*]', cause: 'unpaid for 15 minutes', statement: 'deleteExpiredReservations' },
  { from: ['reserved'], to: 'recorded', cause: 'bind', statement: 'bindReservation' },
  { from: ['reserved'], to: 'broadcast', cause: 'bind with signed bytes', statement: 'bindReservation' },
  { from: ['[*]'], to: 'failed', cause: 'orphaned payment, to be refunded', statement: 'recordOrphanedPayment' },
]

/**
 * The status changes of a write that is bound to its payment. test/api/relayer/intent-moves.test.ts runs each statement
 * on each status.
 */
export const intentMoves: readonly IntentMove[] = [
  { from: undecidedStates, to: 'broadcast', cause: 'signed, or seen on chain', statement: 'markBroadcast' },
  { from: ['broadcast'], to: 'completed', cause: 'mined as a success', statement: 'completeIntent' },
  { from: undecidedStates, to: 'failed', cause: 'cannot act any more', statement: 'failIntent' },
  { from: undecidedStates, to: 'recorded', cause: 'to be relayed again', statement: 'requeueIntent' },
  { from: undecidedStates, to: 'recorded', cause: 'waits for earlier writes after a reorg', statement: 'awaitEarlier' },
  { from: undecidedStates, to: 'held', cause: 'its payment was used otherwise', statement: 'holdIntent' },
  { from: ['held'], to: 'failed', cause: 'closed by an operator', statement: 'service.close_held_intent' },
  { from: ['completed', 'failed'], to: 'broadcast', cause: 'reorg of its block', statement: 'reopenIntent' },
  { from: ['failed'], to: 'broadcast', cause: 'submitted by another account', statement: 'reopenSubmitted' },
]
