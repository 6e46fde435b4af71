/**
 * Statuses of an intent in their order: reserved, recorded, broadcast, and then one of completed, failed and held
 * (interface specification, "Intents"). `held`: the payment was used, and no event proves the result. A reorg changes
 * completed or failed back to broadcast.
 */
export const intentStatuses = ['reserved', 'recorded', 'broadcast', 'completed', 'failed', 'held'] as const
/** The status of an intent, which is the service's record of one relayed write. */
export type IntentStatus = (typeof intentStatuses)[number]
