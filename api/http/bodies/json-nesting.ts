/**
 * The deepest accepted nesting of a JSON body. Every valid body is nested less deeply. The limit bounds the parser's
 * time and stack.
 */
const MAX_DEPTH = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Returns an error message if a JSON text is nested deeper than `MAX_DEPTH` levels. Otherwise returns null. Example:
 * `findNestingFault(Buffer.from('{"a":1}'))` returns null.
 */
export function findNestingFault(json: Buffer): string | null {
  let depth = 0
  for (let position = 0; position < json.length; position += 1) {
    const byte = json[position]
    if (byte === QUOTE) {
      position = endOfString(json, position)
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1
      if (depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels.`
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth -= 1
    }
  }
  return null
}

/**
 * Returns the index of the quote that closes the string opened at `start`. Returns the length of the text if the string
 * is not closed.
 */
function endOfString(json: Buffer, start: number): number {
  let quote = json.indexOf(QUOTE, start + 1)
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf(QUOTE, quote + 1)
  return quote === -1 ? json.length : quote
}

function isEscaped(json: Buffer, position: number): boolean {
  let backslashes = 0
  while (json[position - 1 - backslashes] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}
