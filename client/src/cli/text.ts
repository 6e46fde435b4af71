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

/** A value that reads as another one when it is cut: an id, a number with its unit, or a time. */
const EXACT =
  /^(0x[0-9a-fA-F]{40,64}|0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}|\d{1,78}(\.\d{1,78})?( USDC| base units)?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.]+Z)$/

/** A time to the second, as a list shows it; another value as it is. Example: `2026-01-02 03:04:05Z`. */
export function shortTime(value: unknown): unknown {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.000)?Z$/.exec(typeof value === 'string' ? value : '') ?? []
  return day === undefined ? value : `${day} ${time}Z`
}

const LEAST_TEXT = 12
const GAP = 2

/**
 * Rows under their names, for a terminal. Names, ids, numbers and times are never cut: only texts are, to the width that the
 * others leave.
 */
export function toTable(rows: readonly Record<string, unknown>[], width: number): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => names.map((name) => cell(row[name])))
  const columns = names.map((name, at) => {
    const ofColumn = cells.map((line) => line[at] ?? '')
    const least = longest([name, ...ofColumn.filter((text) => EXACT.test(text))])
    return { at, least, natural: Math.max(least, longest(ofColumn)) }
  })
  const widths: number[] = []
  let left = width - GAP * (names.length - 1)
  // The narrow ones first: what they do not need is left for the wide ones.
  for (const [place, { at, least, natural }] of columns.toSorted((a, b) => a.natural - b.natural).entries()) {
    const share = Math.max(LEAST_TEXT, Math.floor(left / (names.length - place)))
    widths[at] = Math.max(least, Math.min(natural, share))
    left -= widths[at]
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
