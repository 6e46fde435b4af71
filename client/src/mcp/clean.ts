import { cleanText } from '../cli/text.ts'

/** Line breaks and tabs, which paragraphs of descriptions need. */
const BREAKS = /([\n\t])/

/** Removes control, escape, direction and invisible characters from all texts of a value. Amounts become decimal strings. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanParagraphs(value)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanText(name), cleanValue(inner)]))
}

function cleanParagraphs(text: string): string {
  return text
    .split(BREAKS)
    .map((part) => (part === '\n' || part === '\t' ? part : cleanText(part)))
    .join('')
}
