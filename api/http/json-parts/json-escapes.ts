const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = 0x75
const FIRST_PRINTABLE = 0x20
/** Stands for a character outside of ASCII: as little base64 as any of them. */
const BEYOND_ASCII = 0x80

/** What may follow a backslash, besides `u`, and the byte it means. */
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
)

/** Where a piece of a string literal ended, and the bytes it stands for. */
export interface UnescapedPiece {
  /** Position of the closing quote; the length of the chunk when the literal goes on. */
  end: number
  isClosed: boolean
  /** Each escaped character outside of ASCII as one byte 0x80. */
  bytes: Uint8Array
}

/** Takes the escapes out of one string literal that comes in chunks, cut anywhere. */
export class EscapeDecoder {
  /** A backslash without what follows it. */
  #isEscaped = false
  /** Hex digits of a `\u` still to come, and the value of those that came. */
  #digitsLeft = 0
  #value = 0
  /** Whether it cannot be JSON: an unknown escape, or a control character as it is. */
  isBroken = false

  get isBetweenCharacters(): boolean {
    return !this.#isEscaped && this.#digitsLeft === 0
  }

  /** Reads on from `start`, to the closing quote or the end of the chunk. */
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

  /** The byte an escape means once it is complete; null before. */
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
