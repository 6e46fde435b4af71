import { randomBytes } from 'node:crypto'
import { GrowingBytes } from './growing-bytes.ts'
import { LongText, type LongTextPart, type TextSink } from './long-text.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = 0x75

/**
 * The decoded length in bytes above which a string literal is stored as a file. The decoded length does not depend on
 * chunks and escapes, so equal content always becomes the same files.
 */
export const LONG_TEXT_BYTES = 65_536

/** A JSON body without its long texts. */
export interface SplitJson {
  /** The bytes of the body. A marker that nobody can predict replaces each long text. */
  skeleton: Buffer
  /** The long texts, by the marker that replaces each of them. */
  texts: ReadonlyMap<string, LongTextPart>
  /** True if a long text is invalid JSON. */
  isBroken: boolean
}

/** Splits long texts off a JSON body while the body arrives. The body is not parsed: invalid JSON stays invalid. */
export class JsonSplitter {
  readonly #sink: TextSink
  readonly #longTextBytes: number
  readonly #skeleton = new GrowingBytes()
  readonly #texts = new Map<string, LongTextPart>()
  /** The random part of the markers. It is created before the body is read, and clients never see it. */
  readonly #secret = randomBytes(16).toString('hex')
  /**
   * The position in the skeleton (the body without long texts) at which the content of the current string literal
   * begins, after its opening quote. Null outside of literals.
   */
  #literal: number | null = null
  /**
   * The number of decoded bytes of the current literal so far. During an incomplete escape, the number may be too low.
   */
  #textBytes = 0
  #isEscaped = false
  #long: LongText | null = null
  #isBroken = false

  constructor(sink: TextSink, longTextBytes = LONG_TEXT_BYTES) {
    this.#sink = sink
    this.#longTextBytes = longTextBytes
  }

  /**
   * The length in bytes of the skeleton (the body without long texts). While a string literal is being read, the bytes
   * of the literal do not count, because the literal may turn out to be a long text.
   */
  get skeletonBytes(): number {
    return this.#literal ?? this.#skeleton.length
  }

  push(chunk: Buffer): void {
    for (let position = 0; position < chunk.length; ) {
      position = this.#long === null ? this.#copy(chunk, position) : this.#take(this.#long, chunk, position)
    }
  }

  finish(): SplitJson {
    return { skeleton: this.#skeleton.view(), texts: this.#texts, isBroken: this.#isBroken }
  }

  /**
   * Copies bytes of the chunk into the skeleton (the JSON without its long string literals). Stops at the end of the
   * chunk, or after the byte that makes a string literal long: longer than `#longTextBytes` bytes.
   * @returns the index of the next byte
   */
  #copy(chunk: Buffer, start: number): number {
    for (let position = start; position < chunk.length; position += 1) {
      const byte = chunk[position] as number
      if (this.#literal !== null) {
        this.#countText(byte)
        if (this.#textBytes <= this.#longTextBytes) continue
        this.#skeleton.append(chunk.subarray(start, position + 1))
        this.#beginLong(this.#literal)
        return position + 1
      }
      if (byte !== QUOTE) continue
      this.#literal = this.#skeleton.length + position + 1 - start
      this.#textBytes = 0
    }
    this.#skeleton.append(chunk.subarray(start))
    return chunk.length
  }

  /** Processes the next byte of a string literal that is not yet long enough for a file. */
  #countText(byte: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false
      // The backslash has counted as one character. Each of the four digits will add 1, so 4 is subtracted in advance.
      if (byte === UNICODE) this.#textBytes -= 4
    } else if (byte === QUOTE) {
      this.#literal = null
    } else {
      this.#isEscaped = byte === BACKSLASH
      this.#textBytes += 1
    }
  }

  #beginLong(literal: number): void {
    const literalBytes = this.#skeleton.cutAt(literal)
    this.#skeleton.append(Buffer.from(this.#nextMarker()))
    this.#literal = null
    this.#isEscaped = false
    this.#long = new LongText(this.#sink)
    this.#long.next(literalBytes, 0)
  }

  #take(longText: LongText, chunk: Buffer, start: number): number {
    const { end, isClosed } = longText.next(chunk, start)
    if (!isClosed) return end
    this.#texts.set(this.#nextMarker(), longText.finish())
    this.#isBroken ||= longText.isBroken
    this.#long = null
    this.#skeleton.append(Buffer.of(QUOTE))
    return end
  }

  #nextMarker(): string {
    return `${this.#secret}:${this.#texts.size}`
  }
}
