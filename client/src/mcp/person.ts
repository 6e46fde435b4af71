import { cleanText } from '../cli/text.ts'

/**
 * The maximum number of characters that the confirmation question shows of each text in the model's arguments.
 * Addresses, ids and amounts are shorter and appear in full.
 */
const SHOWN = 80

/**
 * The number of characters above which the model's arguments count as long. The question begins with a description of
 * the write. Long arguments would scroll this description out of view, so the question repeats it at the end.
 */
const LONG = 1_000

/**
 * Returns the question that a user confirms: the client's description of the write, and then the arguments that the
 * model wrote. Long texts in the arguments are shortened. After long arguments, the question repeats the description.
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
