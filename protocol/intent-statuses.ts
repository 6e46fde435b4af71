/**
 * Statuses of a relayed write (Interface, "Intents"): reserved -> recorded -> broadcast -> completed, failed or held. A reorg
 * returns completed and failed to broadcast.
 */
export const intentStatuses = ['reserved', 'recorded', 'broadcast', 'completed', 'failed', 'held'] as const
/** The status of an intent. */
export type IntentStatus = (typeof intentStatuses)[number]
