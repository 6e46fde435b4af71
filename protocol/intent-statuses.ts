/**
 * Statuses of an intent (interface specification, "Intents"), in their order: reserved -> recorded -> broadcast, and
 * then completed, failed or held. An intent is held if its payment was used and no event proves the result. A reorg
 * changes completed and failed back to broadcast.
 */
export const intentStatuses = ['reserved', 'recorded', 'broadcast', 'completed', 'failed', 'held'] as const
/** The status of an intent. */
export type IntentStatus = (typeof intentStatuses)[number]
