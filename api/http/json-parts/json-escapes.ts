const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = 0x75
const FIRST_PRINTABLE = 0x20
/** The byte that replaces an escaped non-ASCII character. This byte does not occur in base64. */
const BEYOND_ASCII = 0x80

/** The characters that may follow a backslash, except `u`. The value is the byte of the decoded escape. */
const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)],
  ),
)

/** The decoded form of one chunk's part of a JSON string literal. */
export interface UnescapedPiece {
  /**
   * The index of the closing quote in the chunk. If the literal continues in the next chunk: the length of the chunk.
   */
  end: number
  isClosed: boolean
  /** The decoded bytes. One placeholder byte, 0x80, stands for each escaped non-ASCII character. */
  bytes: Uint8Array
}

/** Decodes the escapes of a string literal that arrives in chunks. A chunk may end at any byte. */
export class EscapeDecoder {
  /** True after a backslash until the next byte arrives. */
  #isEscaped = false
  /**
   * The state of a `\u` escape. `#digitsLeft`: the number of hex digits that are still missing. `#value`: the number
   * that the received digits form.
   */
  #digitsLeft = 0
  #value = 0
  /** True if the literal is invalid JSON, because of an unknown escape or an unescaped control character. */
  isBroken = false

  get isBetweenCharacters(): boolean {
    return !this.#isEscaped && this.#digitsLeft === 0
  }

  /** Decodes the chunk from `start` up to the closing quote or the end of the chunk. */
  next(chunk: Uint8Array, start: number): UnescapedPiece {
    const decodedBytes = new Uint8Array(chunk.length - start)
    let length = 0
    for (let position = start; position < chunk.length; position += 1) {
      const byte = chunk[position] as number
      const isPlain = byte !== BACKSLASH && this.isBetweenCharacters
      if (isPlain && byte === QUOTE) return { end: position, isClosed: true, bytes: decodedBytes.subarray(0, length) }
      const decodedByte = isPlain ? byte : this.#nextOfEscape(byte)
      if (isPlain && byte < FIRST_PRINTABLE) this.isBroken = true
      if (decodedByte !== null) {
        decodedBytes[length] = decodedByte
        length += 1
      }
    }
    return { end: chunk.length, isClosed: false, bytes: decodedBytes.subarray(0, length) }
  }

  /** Returns the decoded byte if the escape is complete. Null if the escape still lacks characters. */
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
    const decodedByte = ESCAPES.get(byte)
    if (decodedByte === undefined) this.isBroken = true
    return decodedByte ?? BEYOND_ASCII
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
