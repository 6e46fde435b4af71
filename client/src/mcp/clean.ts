import { cleanText } from '../cli/text.ts'

/** Matches a line break or tab, which descriptions need between paragraphs. */
const BREAKS = /([\n\t])/

/**
 * Removes control, escape, direction and invisible characters from all texts in a value. A bigint becomes a decimal
 * string.
 */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanParagraphs(value)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cleanText(name), cleanValue(member)]))
}

function cleanParagraphs(text: string): string {
  return text
    .split(BREAKS)
    .map((part) => (part === '\n' || part === '\t' ? part : cleanText(part)))
    .join('')
}
