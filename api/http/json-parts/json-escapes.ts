const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = 0x75
const FIRST_PRINTABLE = 0x20
/** The substitute for a non-ASCII character, which is no base64 either. */
const BEYOND_ASCII = 0x80

/** The characters that may follow a backslash, besides `u`, with the byte they mean. */
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
)

/** The decoded part of a string literal in one chunk. */
export interface UnescapedPiece {
  /** The position of the closing quote, or the length of the chunk when the literal continues. */
  end: number
  isClosed: boolean
  /** The decoded bytes; each escaped non-ASCII character is one byte 0x80. */
  bytes: Uint8Array
}

/** A decoder of the escapes in one string literal that arrives in chunks, cut anywhere. */
export class EscapeDecoder {
  /** True after a backslash whose next byte has not arrived. */
  #isEscaped = false
  /** The missing hex digits of a `\u`, and the value of those that arrived. */
  #digitsLeft = 0
  #value = 0
  /** True if the literal is invalid JSON, by an unknown escape or a raw control character. */
  isBroken = false

  get isBetweenCharacters(): boolean {
    return !this.#isEscaped && this.#digitsLeft === 0
  }

  /** Decodes from `start` to the closing quote or the end of the chunk. */
  next(chunk: Uint8Array, start: number): UnescapedPiece {
    const decoded = new Uint8Array(chunk.length - start)
    let length = 0
    for (let position = start; position < chunk.length; position += 1) {
      const byte = chunk[position] as number
      const isPlain = byte !== BACKSLASH && this.isBetweenCharacters
      if (isPlain && byte === QUOTE) return { end: position, isClosed: true, bytes: decoded.subarray(0, length) }
      const meant = isPlain ? byte : this.#nextOfEscape(byte)
      if (isPlain && byte < FIRST_PRINTABLE) this.isBroken = true
      if (meant !== null) {
        decoded[length] = meant
        length += 1
      }
    }
    return { end: chunk.length, isClosed: false, bytes: decoded.subarray(0, length) }
  }

  /** Returns the byte of a complete escape, or null before. */
  #nextOfEscape(byte: number): number | null {
    if (this.#digitsLeft > 0) return this.#nextDigit(byte)
    if (!this.#isEscaped) {
      this.#isEscaped = true
      return null
    }
    this.#isEscaped = false
    if (byte === UNICODE) {
      this.#digitsLeft = 4
      this.#value = 0
      return null
    }
    const meant = ESCAPES.get(byte)
    if (meant === undefined) this.isBroken = true
    return meant ?? BEYOND_ASCII
  }

  #nextDigit(byte: number): number | null {
    const digit = Number.parseInt(String.fromCharCode(byte), 16)
    if (Number.isNaN(digit)) this.isBroken = true
    this.#value = this.#value * 16 + digit
    this.#digitsLeft -= 1
    if (this.#digitsLeft > 0) return null
    return Math.min(this.#value, BEYOND_ASCII)
  }
}
