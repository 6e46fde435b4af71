/** Sequences that terminals act on: CSI, OSC and the other escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
/** Control, format (bidirectional), invisible, separator and private characters, and halves of pairs. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/** A stranger's text as one line for a terminal: it shows what it says, and makes the terminal do nothing. */
export function cleanText(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ')
    .replace(HIDDEN, '')
}

/** JSON with every hidden character escaped: a terminal that shows it does nothing either. */
export function toSafeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? inner.toString() : inner), indent)
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\u007f-\u009f]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )
}

/** Addresses and ids: half of one is of no use. */
const WHOLE = /^0x[0-9a-fA-F]{40,64}$/

/** An address or id that a person recognizes, cut in the middle; another value as it is. Example: `0x1234…cdef`. */
export function shortId(value: unknown): unknown {
  return typeof value === 'string' && WHOLE.test(value) ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}

/** Rows under their names, for a terminal; long texts are cut, addresses and ids are not. */
export function toTable(rows: readonly Record<string, unknown>[], width: number): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const most = Math.max(12, Math.floor(width / Math.max(1, names.length)) - 2)
  const widths = names.map((_, at) => Math.max(...cells.map((line) => shownLength(line[at] ?? '', most))))
  const lines = cells.map((line) =>
    line
      .map((text, at) => fit(text, widths[at] ?? most))
      .join('  ')
      .trimEnd(),
  )
  return lines.join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return cleanText(typeof value === 'object' ? toSafeJson(value) : String(value))
}

function shownLength(text: string, most: number): number {
  return WHOLE.test(text) ? text.length : Math.min(most, text.length)
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
