import type { WriteName } from '../../../../client/src/api/write-names.ts'
import { aDelivery, marketEvents, type Recipe } from './recipe.ts'
import { aRejectedDelivery } from './verdict-writes.ts'

/** From the delivery on, seconds: 90 days after the longest deadline of these tasks. */
export const LATE_SECONDS = 100n * 86_400n

/**
 * Writes that any wallet may make about a task that was left alone, `LATE_SECONDS` after its preparation. No payment lasts as long,
 * so these are made by themselves.
 */
export const lateWrites = {
  finalizeVerdict: async (parts) => {
    const { taskId } = await aRejectedDelivery(parts)
    const countDone = marketEvents(parts, 'VerdictFinalized', [taskId])
    return { wallet: await parts.aWallet(), input: { taskId }, cost: 0n, countDone }
  },
  settleStaleTask: async (parts) => {
    const { taskId } = await aDelivery(parts)
    const countDone = marketEvents(parts, 'TaskCompleted', [taskId])
    return { wallet: await parts.aWallet(), input: { taskId }, cost: 0n, countDone }
  },
} satisfies Partial<Record<WriteName, Recipe>>
