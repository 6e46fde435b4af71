import type { Hex } from 'viem'
import type { SignedText } from './signed-text.ts'

/** First words of the texts by which a wallet agrees to act on a task. */
export type TaskVerb = 'claim' | 'submit' | 'forfeit' | 'select-worker'

/**
 * Returns the text (EIP-191, without `<service>:`) by which a worker or requester agrees to act on a task; a tail may follow.
 * Spec, "Authentication".
 *
 * Example: `claim:0x9f..`.
 */
export function taskText(verb: TaskVerb, taskId: Hex): SignedText {
  return `${verb}:${taskId}`
}
