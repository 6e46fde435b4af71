/**
 * Where a relayed write stands (Interface, "Intents"): reserved -> recorded -> broadcast -> completed, failed or held.
 * A reorg takes completed and failed back to broadcast.
 */
export const intentStatuses = ['reserved', 'recorded', 'broadcast', 'completed', 'failed', 'held'] as const
/** The status of an intent. */
export type IntentStatus = (typeof intentStatuses)[number]
