import { cleanText } from '../cli/text.ts'

/** What a person is shown of each text, characters: addresses, ids and amounts in full. */
const SHOWN = 80

/** Arguments that are longer move the facts above them off a terminal, characters. */
const LONG = 1_000

/**
 * The question to a person: the client's own facts first, then what the caller wants to send, as data. Long texts are cut
 * one by one, so that none of them hides who is paid; the facts stand below many of them once more.
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

/** What answers for a person; null: there is none. */
export type AskPerson = ((question: string, signal: AbortSignal) => Promise<boolean>) | null
