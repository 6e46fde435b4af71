import { cleanText } from '../cli/text.ts'

/**
 * The maximum number of characters that the confirmation question shows of each text in the model's arguments.
 * Addresses, ids and amounts are shorter and appear in full.
 */
const SHOWN = 80

/**
 * The number of characters of arguments above which the confirmation question repeats the client's facts at its end.
 * Such long arguments would scroll the facts at the beginning of the question out of view.
 */
const LONG = 1_000

/**
 * Returns the question that a user confirms. The question contains the client's own facts, and then the model's
 * arguments as data. Long texts in the arguments are shortened. After long arguments, the facts are repeated.
 */
export function questionOf(description: string, input: Record<string, unknown>): string {
  const argumentsText = cleanText(JSON.stringify(input, (_, value) => shorten(value)))
  const again = argumentsText.length > LONG ? ` Once more, what it comes to: ${description}` : ''
  return `${description} Arguments, written by the model: ${argumentsText}${again}`
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= SHOWN) return value
  return `${value.slice(0, SHOWN)}… (${value.length} characters)`
}

/**
 * A function that asks the user, through a channel that the model cannot use. Returns true if the user agreed. The
 * function is null if there is no such channel.
 */
export type AskPerson = ((question: string, signal: AbortSignal) => Promise<boolean>) | null
