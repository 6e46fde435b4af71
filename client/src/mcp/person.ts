import { cleanText } from '../cli/text.ts'

/** Maximum characters shown of each text. Addresses, ids and amounts are shown in full. */
const SHOWN = 80

/** Length of arguments above which the facts are repeated below them, characters: a terminal would scroll them away. */
const LONG = 1_000

/**
 * Returns the question that a user confirms: the client's own facts first, then the caller's arguments as data. Each long text is
 * cut, so that none hides the receiver of a payment. Long arguments are followed by the facts again.
 */
export function questionOf(description: string, input: Record<string, unknown>): string {
  const given = cleanText(JSON.stringify(input, (_, value) => shorten(value)))
  const again = given.length > LONG ? ` Once more, what it comes to: ${description}` : ''
  return `${description} Arguments, written by the model: ${given}${again}`
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= SHOWN) return value
  return `${value.slice(0, SHOWN)}… (${value.length} characters)`
}

/** Asks the user at another channel than the model's; null: no such channel. */
export type AskPerson = ((question: string, signal: AbortSignal) => Promise<boolean>) | null
