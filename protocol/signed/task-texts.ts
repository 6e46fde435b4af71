import type { Hex } from 'viem'
import type { SignedText } from './signed-text.ts'

/** First words of the texts by which a wallet authorizes an action on a task. */
export type TaskVerb = 'claim' | 'submit' | 'forfeit' | 'select-worker'

/**
 * Returns the message (EIP-191) by which a worker or a requester authorizes an action on a task. The text does not
 * contain the prefix `<service>:`. The caller may append an ending (specification, "Authentication").
 *
 * Example: `claim:0x9f..`.
 */
export function taskText(verb: TaskVerb, taskId: Hex): SignedText {
  return `${verb}:${taskId}`
}
