/** Matches terminal escape sequences: CSI, OSC and others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
/**
 * Matches hidden characters: control, format (bidirectional), invisible, separator and private-use characters, and
 * unpaired surrogates.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/**
 * Returns untrusted text as one line without terminal control characters.
 *
 * Example: `'a\u001b[31mb\nc'` becomes `'ab c'`.
 */
export function cleanText(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ')
    .replace(HIDDEN, '')
}

/** Returns JSON in which every hidden character is escaped. The JSON is safe to print on a terminal. */
export function toSafeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? member.toString() : member), indent)
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\u007f-\u009f]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )
}

/**
 * Matches a text that is one whole address or id. `shortId` shortens the text in the middle, because an id without its
 * end is useless.
 */
const WHOLE = /^0x[0-9a-fA-F]{40,64}$/

/** Shortens an address or id in the middle; returns other values unchanged. Example: `0x1234…cdef`. */
export function shortId(value: unknown): unknown {
  return typeof value === 'string' && WHOLE.test(value) ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}

/** Matches values that must not be shortened: an id, a number with its unit, or a time. */
const EXACT =
  /^(0x[0-9a-fA-F]{40,64}|0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}|\d{1,78}(\.\d{1,78})?( USDC| base units)?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.]+Z)$/

/**
 * Formats an ISO time of whole seconds for a reader; returns all other values unchanged. Example:
 * `2026-01-02T03:04:05.000Z` becomes `2026-01-02 03:04:05Z`.
 */
export function shortTime(value: unknown): unknown {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.000)?Z$/.exec(typeof value === 'string' ? value : '') ?? []
  return day === undefined ? value : `${day} ${time}Z`
}

const LEAST_TEXT = 12
const GAP = 2

/**
 * Formats rows as a table for a terminal. Names, ids, numbers and times are never shortened. Other texts share the
 * remaining width.
 */
export function toTable(rows: readonly Record<string, unknown>[], width: number): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => names.map((name) => cell(row[name])))
  const columns = names.map((name, at) => {
    const ofColumn = cells.map((line) => line[at] ?? '')
    const leastWidth = longest([name, ...ofColumn.filter((text) => EXACT.test(text))])
    return { at, least: leastWidth, natural: Math.max(leastWidth, longest(ofColumn)) }
  })
  const widths: number[] = []
  let remainingWidth = width - GAP * (names.length - 1)
  // Narrow columns come first, so that wide ones get the width that they leave.
  for (const [place, { at, least, natural }] of columns.toSorted((a, b) => a.natural - b.natural).entries()) {
    const share = Math.max(LEAST_TEXT, Math.floor(remainingWidth / (names.length - place)))
    widths[at] = Math.max(least, Math.min(natural, share))
    remainingWidth -= widths[at]
  }
  const lines = [names, ...cells].map((line) =>
    line
      .map((text, at) => fit(text, widths[at] ?? LEAST_TEXT))
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
  return lines.join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return cleanText(typeof value === 'object' ? toSafeJson(value) : String(value))
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
