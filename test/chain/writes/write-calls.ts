import { aKey, type WriteCall } from '../../support/paying-client.ts'

/** Reward of a test's bounty, base units. */
export const REWARD = 1_000_000n

/** A create request under a new key. */
export function createCall(changes: { body?: Record<string, unknown>; key?: string } = {}): WriteCall {
  return {
    path: '/tasks',
    key: changes.key ?? aKey(),
    body: { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: ['text'], ...changes.body },
  }
}
