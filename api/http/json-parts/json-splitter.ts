import { randomBytes } from 'node:crypto'
import { GrowingBytes } from './growing-bytes.ts'
import { LongText, type LongTextPart, type TextSink } from './long-text.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = 0x75

/**
 * The decoded length above which a string literal becomes a file, bytes. Neither chunks nor escaped base64 characters
 * matter, so requests of equal content have equal files.
 */
export const LONG_TEXT_BYTES = 65_536

/** A JSON body without its long texts. */
export interface SplitJson {
  /** The body's bytes, with an unpredictable marker in place of each long text. */
  skeleton: Buffer
  /** The long texts by marker. */
  texts: ReadonlyMap<string, LongTextPart>
  /** True if a long text is invalid JSON. */
  isBroken: boolean
}

/** A splitter of a JSON body on arrival. It does not parse: invalid JSON becomes invalid JSON. */
export class JsonSplitter {
  readonly #sink: TextSink
  readonly #longTextBytes: number
  readonly #skeleton = new GrowingBytes()
  readonly #texts = new Map<string, LongTextPart>()
  /** The random part of the markers, created before the body is read and never sent to a client. */
  readonly #secret = randomBytes(16).toString('hex')
  /** The position in the skeleton of the literal being copied, behind its quote; null: outside of literals. */
  #literal: number | null = null
  /** The decoded bytes of that literal; never too many while an escape is incomplete. */
  #textBytes = 0
  #isEscaped = false
  #long: LongText | null = null
  #isBroken = false

  constructor(sink: TextSink, longTextBytes = LONG_TEXT_BYTES) {
    this.#sink = sink
    this.#longTextBytes = longTextBytes
  }

  /** The bytes of the skeleton that no file can remove any more. */
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

  /** Copies up to the byte at which a literal becomes long, or to the end of the chunk. */
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

  /** Counts the next byte of a literal that is not long yet. */
  #countText(byte: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false
      // The backslash counted as the one character; the four digits are still to come.
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

  #take(long: LongText, chunk: Buffer, start: number): number {
    const { end, isClosed } = long.next(chunk, start)
    if (!isClosed) return end
    this.#texts.set(this.#nextMarker(), long.finish())
    this.#isBroken ||= long.isBroken
    this.#long = null
    this.#skeleton.append(Buffer.of(QUOTE))
    return end
  }

  #nextMarker(): string {
    return `${this.#secret}:${this.#texts.size}`
  }
}
