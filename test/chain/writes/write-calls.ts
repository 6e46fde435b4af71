import type { Hex } from 'viem'
import { aKey, type WriteCall } from '../../support/paying-client.ts'

/** What a test's bounty costs, base units. */
export const REWARD = 1_000_000n
/** What every other paid route costs, base units. */
export const ACTION_FEE = 1_000n

/** A create request under a key of its own. */
export function createCall(changes: { body?: Record<string, unknown>; key?: string } = {}): WriteCall {
  return {
    path: '/tasks',
    key: changes.key ?? aKey(),
    body: { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: ['text'], ...changes.body },
  }
}

/** A cancel request under a key of its own. */
export function cancelCall(taskId: Hex): WriteCall {
  return { path: `/tasks/${taskId}/cancel`, key: aKey() }
}
