import { TextDecoder } from 'node:util'
import { type Base64Stream, createBase64Stream } from '../../domain/artifacts/base64-stream.ts'
import { EscapeDecoder } from './json-escapes.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Takes the bytes that long texts encode. */
export interface TextSink {
  /** Where the next byte goes. */
  readonly sizeBytes: number
  /** Takes a copy of the bytes. */
  append: (bytes: Uint8Array) => void
  /** Forgets the bytes from here on. */
  dropFrom: (position: number) => void
}

/** A long text: where in the sink the bytes are that it encodes. One that is no base64 has none. */
export interface LongTextPart {
  start: number
  sizeBytes: number
  isBase64: boolean
}

/** Where reading stopped: behind the closing quote, or at the end of the chunk. */
export interface TextProgress {
  end: number
  isClosed: boolean
}

/**
 * A long string literal of a JSON body, decoded into the sink while it comes. One that is no base64 is no file: of it
 * nothing is kept, and it is only looked at whether it is JSON at all.
 */
export class LongText {
  readonly #sink: TextSink
  readonly #start: number
  readonly #escapes = new EscapeDecoder()
  #base64: Base64Stream | null = createBase64Stream()
  #utf8: TextDecoder | null = null
  #isBroken = false

  constructor(sink: TextSink) {
    this.#sink = sink
    this.#start = sink.sizeBytes
  }

  /** Whether no JSON text can hold this literal. */
  get isBroken(): boolean {
    return this.#isBroken || this.#escapes.isBroken
  }

  next(chunk: Buffer, start: number): TextProgress {
    return this.#nextPlain(chunk, start) ?? this.#nextAny(chunk, start)
  }

  /** What the literal was, once it is closed. */
  finish(): LongTextPart {
    if (this.#base64?.isWhole() === false) this.#giveUp()
    this.#checkUtf8(new Uint8Array(), false)
    const isBase64 = this.#base64 !== null
    return { start: this.#start, sizeBytes: isBase64 ? this.#sink.sizeBytes - this.#start : 0, isBase64 }
  }

  /** The usual case, at the speed of the machine: base64 without escapes. Null: it is another case. */
  #nextPlain(chunk: Buffer, start: number): TextProgress | null {
    if (this.#base64 === null || !this.#escapes.isBetweenCharacters) return null
    const quote = chunk.indexOf(QUOTE, start)
    const end = quote === -1 ? chunk.length : quote
    const piece = chunk.subarray(start, end)
    if (piece.includes(BACKSLASH) || !this.#decode(piece)) return null
    return quote === -1 ? { end, isClosed: false } : { end: end + 1, isClosed: true }
  }

  #nextAny(chunk: Buffer, start: number): TextProgress {
    const { end, isClosed, bytes } = this.#escapes.next(chunk, start)
    if (!this.#decode(bytes)) this.#checkUtf8(chunk.subarray(start, end), true)
    return { end: isClosed ? end + 1 : end, isClosed }
  }

  /** False when the text is no base64, now or before. */
  #decode(text: Uint8Array): boolean {
    const bytes = this.#base64?.push(text) ?? null
    if (bytes === null) this.#giveUp()
    else if (bytes.length > 0) this.#sink.append(bytes)
    return bytes !== null
  }

  #giveUp(): void {
    if (this.#base64 === null) return
    this.#base64 = null
    // What came before was base64, and so it was UTF-8.
    this.#utf8 = new TextDecoder('utf-8', { fatal: true })
    this.#sink.dropFrom(this.#start)
  }

  #checkUtf8(bytes: Uint8Array, goesOn: boolean): void {
    try {
      this.#utf8?.decode(bytes, { stream: goesOn })
    } catch {
      this.#isBroken = true
      this.#utf8 = null
    }
  }
}
