import type { AnyOutcome } from './make-write.ts'
import type { WriteWords } from './sheet-words.ts'

/**
 * Sentences for frequent reasons of a refusal. The page shows the sentence before the service's own message, which is
 * written for programs.
 */
const sentences: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your wallet does not hold enough USDC for this. Put some into it, then try again.',
  signing_failed: 'Your wallet did not sign. If you declined by mistake, try again.',
  unreachable: 'The service does not answer. Check your connection, then try again.',
  facts_changed: 'The task has changed since you agreed. Close this and look at the task again.',
}

/**
 * Returns a heading and a text that tell a person the outcome of a write, and what to do. `tone` is the CSS class of
 * the note.
 */
export function outcomeWords(outcome: AnyOutcome, { done, title }: Pick<WriteWords, 'done' | 'title'>) {
  switch (outcome.kind) {
    case 'completed':
      return { heading: 'Done', text: done, tone: 'open' }
    case 'refused': {
      const { reason, message, retryAfterSeconds } = outcome
      const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`
      const text = `${sentences[reason] ?? ''} ${message}`.trim()
      return { heading: 'Not done', text: `${text} Nothing was charged.${wait}`, tone: 'bad' }
    }
    case 'inFlight':
      return {
        heading: 'On its way',
        text: `${title} is signed and sent; the chain has not confirmed it yet. You need not do anything: “My work” shows how it ends.`,
        tone: 'wait',
      }
    case 'unknown':
      return {
        heading: 'Not known yet',
        text: `${title} may have arrived. ${outcome.message} Trying again goes on with the same payment: nothing is paid twice.`,
        tone: 'wait',
      }
  }
}
