import { PIECE_LENGTH, piecesOf } from './text-pieces.ts'

/** Writes a value as JSON in parts: `before`, the JSON of each part of its text, `after`. */
export interface ValueWriter {
  before: string
  /** A value of at most PIECE_LENGTH characters is one part. */
  write: (part: string) => string
  after: string
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/**
 * PostgreSQL's text of an array as JSON, in parts of about PIECE_LENGTH characters. PostgreSQL quotes an element that
 * is empty, is the word NULL, or has a brace, a comma, a quote, a backslash or white space. Bounds that do not begin at
 * 1 come first, as in `[0:1]={a,b}`; the JSON has none (PostgreSQL, "Array Input and Output Syntax"). The time is
 * linear in the length of the text.
 * @throws Error for a text that no array has
 */
export function* arrayToJson(text: string, writer: ValueWriter): Generator<string, void, undefined> {
  let json = ''
  for (let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0; at < text.length; ) {
    const separator = separatorOf(text.charCodeAt(at))
    if (separator !== null) {
      json += separator
      at += 1
    } else {
      const end = endOfElement(text, at)
      const element = text.slice(at, end)
      at = end
      if (element.length <= PIECE_LENGTH) {
        json += shortElement(element, writer)
      } else {
        yield json
        json = ''
        yield* longElement(element, writer)
      }
    }
    if (json.length < PIECE_LENGTH) continue
    yield json
    json = ''
  }
  yield json
}

/** In JSON, what separates elements in PostgreSQL's text. */
function separatorOf(unit: number): string | null {
  if (unit === COMMA) return ','
  if (unit === OPENING_BRACE) return '['
  return unit === CLOSING_BRACE ? ']' : null
}

/** The end of the element that begins here, its quotes included. */
function endOfElement(text: string, from: number): number {
  const isQuoted = text.charCodeAt(from) === QUOTE
  for (let at = isQuoted ? from + 1 : from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (isQuoted) {
      if (unit === QUOTE) return at + 1
      if (unit === BACKSLASH) at += 1
    } else if (unit === COMMA || unit === CLOSING_BRACE) {
      return at
    }
  }
  throw new Error('the text of an array ends within an element')
}

function shortElement(element: string, { before, write, after }: ValueWriter): string {
  if (element === 'NULL') return 'null'
  if (element.charCodeAt(0) !== QUOTE) return before + write(element) + after
  return before + write(withoutBackslashes(element.slice(1, -1))) + after
}

function* longElement(element: string, { before, write, after }: ValueWriter): Generator<string, void, undefined> {
  yield before
  let rest = ''
  for (const piece of piecesOf(element.charCodeAt(0) === QUOTE ? element.slice(1, -1) : element)) {
    const text = rest + piece
    // A backslash and the character that it escapes are in one part.
    const end = text.length - (endsInEscape(text) ? 1 : 0)
    yield write(withoutBackslashes(text.slice(0, end)))
    rest = text.slice(end)
  }
  yield after
}

function withoutBackslashes(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text
}

/** Whether the text, which begins outside of an escape, ends between a backslash and its character. */
function endsInEscape(text: string): boolean {
  let backslashes = 0
  while (text.charCodeAt(text.length - 1 - backslashes) === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}
