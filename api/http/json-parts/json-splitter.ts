import { randomBytes } from 'node:crypto'
import { GrowingBytes } from './growing-bytes.ts'
import { LongText, type LongTextPart, type TextSink } from './long-text.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = 0x75

/**
 * A string literal of more bytes than this, its escapes taken out, is a file. How it comes in chunks makes no
 * difference, nor, in base64, which characters are escaped: requests of the same content have the same files.
 */
export const LONG_TEXT_BYTES = 65_536

/** A JSON body without its long texts. */
export interface SplitJson {
  /** The body's bytes, but an unpredictable marker in the place of each long text. */
  skeleton: Buffer
  /** The long texts by their markers. */
  texts: ReadonlyMap<string, LongTextPart>
  /** Whether one of the long texts cannot stand in JSON. */
  isBroken: boolean
}

/** Takes a JSON body apart while it comes. It does not parse: what is no JSON is split into something that is none. */
export class JsonSplitter {
  readonly #sink: TextSink
  readonly #longTextBytes: number
  readonly #skeleton = new GrowingBytes()
  readonly #texts = new Map<string, LongTextPart>()
  /** Made before the body is read, and never sent to a client. */
  readonly #secret = randomBytes(16).toString('hex')
  /** Where in the skeleton the literal that is being copied begins, behind its quote; null: outside of literals. */
  #literal: number | null = null
  /** Bytes of that literal, its escapes taken out; never too many while an escape is incomplete. */
  #textBytes = 0
  #isEscaped = false
  #long: LongText | null = null
  #isBroken = false

  constructor(sink: TextSink, longTextBytes = LONG_TEXT_BYTES) {
    this.#sink = sink
    this.#longTextBytes = longTextBytes
  }

  /** Bytes of the skeleton that no file can take away any more. */
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

  /** Copies up to where a literal becomes long, or to the end of the chunk. */
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

  /** The next byte of a literal that is not long yet. */
  #countText(byte: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false
      // The backslash has counted as the one character; the four digits are still to come.
      if (byte === UNICODE) this.#textBytes -= 4
    } else if (byte === QUOTE) {
      this.#literal = null
    } else {
      this.#isEscaped = byte === BACKSLASH
      this.#textBytes += 1
    }
  }

  #beginLong(literal: number): void {
    const begun = this.#skeleton.cutAt(literal)
    this.#skeleton.append(Buffer.from(this.#nextMarker()))
    this.#literal = null
    this.#isEscaped = false
    this.#long = new LongText(this.#sink)
    this.#long.next(begun, 0)
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
