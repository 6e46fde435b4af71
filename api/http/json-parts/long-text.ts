import { TextDecoder } from 'node:util'
import { type Base64Stream, createBase64Stream } from '../../domain/artifacts/base64-stream.ts'
import { EscapeDecoder } from './json-escapes.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Receives the decoded bytes of base64 texts. */
export interface TextSink {
  /** The number of received bytes, which is the position of the next byte. */
  readonly sizeBytes: number
  /** Appends a copy of the bytes to the bytes received so far. */
  append: (bytes: Uint8Array) => void
  /** Removes all bytes from this position on. */
  dropFrom: (position: number) => void
}

/**
 * A long text: the position and size of the decoded bytes in the sink. A text that is not base64 has no bytes in the
 * sink.
 */
export interface LongTextPart {
  start: number
  sizeBytes: number
  isBase64: boolean
}

/**
 * The result of reading one chunk's part of a string literal. `end`: the index after the closing quote. If the literal
 * continues in the next chunk, `end` is the length of the chunk.
 */
export interface TextProgress {
  end: number
  isClosed: boolean
}

/**
 * A long string literal of a JSON body. Base64 is decoded into the sink while it arrives. A text that is not base64 is
 * only checked to be valid JSON.
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

  /** True if the string literal of this long text is invalid JSON. */
  get isBroken(): boolean {
    return this.#isBroken || this.#escapes.isBroken
  }

  next(chunk: Buffer, start: number): TextProgress {
    return this.#nextPlain(chunk, start) ?? this.#nextAny(chunk, start)
  }

  /** Returns the long text. Call it after the string literal is closed. */
  finish(): LongTextPart {
    if (this.#base64?.isWhole() === false) this.#giveUp()
    this.#checkUtf8(new Uint8Array(), false)
    const isBase64 = this.#base64 !== null
    return { start: this.#start, sizeBytes: isBase64 ? this.#sink.sizeBytes - this.#start : 0, isBase64 }
  }

  /** Decodes base64 that has no escapes, the usual case. Returns null if the text has escapes or is not base64. */
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

  /** Decodes base64. Returns false if this part or an earlier part of the text is not base64. */
  #decode(text: Uint8Array): boolean {
    const bytes = this.#base64?.push(text) ?? null
    if (bytes === null) this.#giveUp()
    else if (bytes.length > 0) this.#sink.append(bytes)
    return bytes !== null
  }

  #giveUp(): void {
    if (this.#base64 === null) return
    this.#base64 = null
    // The earlier bytes were base64, and therefore valid UTF-8.
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
