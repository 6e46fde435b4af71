import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { AnswerTooLarge } from '../../analytics/reader-session.ts'
import type { QueryAnswer } from '../../analytics/run-query.ts'
import { PIECE_LENGTH, piecesOf } from '../../analytics/text-pieces.ts'
import { isTextType, isTimeType, jsonWriterOf, toIsoTime, typeNameOf } from '../../analytics/text-values.ts'
import { escapeHidden } from '../../text/escape-hidden.ts'
import { escapeMarkup } from '../../text/json-text.ts'
import { toSnapshot } from './snapshot.mapper.ts'

/** The forms of an answer, by the media type that asks for them; the first is the default. */
export const answerTypes = ['application/json', 'application/x-ndjson', 'text/csv'] as const
export type AnswerType = (typeof answerTypes)[number]

/** A large answer is written with pauses: those of two clients would take the whole event loop. */
const BYTES_BEFORE_PAUSES = 1024 * 1024
/** Between two parts, which take a tenth of it. */
const PAUSE_MS = 2

export interface WriteLimits {
  type: AnswerType
  /** A sentence about the query, in answers that are one JSON document. */
  note?: string | undefined
  maxBytes: number
  /** Ends the writing, between two parts of it. */
  signal: AbortSignal
}

export interface WrittenAnswer {
  parts: readonly Buffer<ArrayBuffer>[]
  /** Of all parts. */
  bytes: number
}

/**
 * The bytes of an answer, written in parts of at most twice PIECE_LENGTH characters: other requests go on between them.
 * @throws AnswerTooLarge as soon as it has more than `maxBytes`: names of columns and escapes can make it larger than
 * what the server sent; the signal's reason
 */
export async function writeAnswer(
  answer: QueryAnswer,
  { type, note, maxBytes, signal }: WriteLimits,
): Promise<WrittenAnswer> {
  const parts: Buffer<ArrayBuffer>[] = []
  let bytes = 0
  const add = (text: string) => {
    const part = Buffer.from(type === 'text/csv' ? text : escapeMarkup(text))
    bytes += part.length
    if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes)
    parts.push(part)
  }
  let text = ''
  for (const piece of type === 'text/csv' ? csvOf(answer) : jsonOf(answer, { type, note })) {
    text += piece
    if (text.length < PIECE_LENGTH) continue
    add(text)
    text = ''
    await (bytes < BYTES_BEFORE_PAUSES ? nextTurn() : delay(PAUSE_MS))
    signal.throwIfAborted()
  }
  add(text)
  return { parts, bytes }
}

/** Sends the parts one by one: copying or sending a whole answer at once takes all other requests 50 ms. */
export function streamOf({ parts }: WrittenAnswer): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next = 0
  return new ReadableStream({
    pull: (controller) => {
      const part = parts[next]
      next += 1
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
}

/** JSON, in which `escapeMarkup` has yet to escape what stands in strings. */
function* jsonOf(
  answer: QueryAnswer,
  { type, note }: { type: Exclude<AnswerType, 'text/csv'>; note: string | undefined },
): Generator<string, void, undefined> {
  const isDocument = type === 'application/json'
  const writers = answer.columns.map(({ name, typeId }, index) => ({
    key: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    write: jsonWriterOf(typeId),
  }))
  if (isDocument) yield headOf(answer, note)
  for (const [index, row] of answer.rows.entries()) {
    if (isDocument && index > 0) yield ','
    if (writers.length === 0) yield '{'
    for (const [column, { key, write }] of writers.entries()) {
      yield key
      yield* write(row[column] ?? null)
    }
    yield isDocument ? '}' : '}\n'
  }
  if (isDocument) yield ']}'
}

function headOf({ snapshot, columns, rows }: QueryAnswer, note: string | undefined): string {
  const head = {
    ...toSnapshot(snapshot),
    ...(note !== undefined && { note }),
    columns: columns.map(({ name, typeId }) => ({ name, type: typeNameOf(typeId) })),
    rowCount: rows.length,
  }
  return `${JSON.stringify(head).slice(0, -1)},"rows":[`
}

/** RFC 4180. NULL is an empty cell, an empty text is `""`. */
function* csvOf({ columns, rows }: QueryAnswer): Generator<string, void, undefined> {
  const cells = columns.map(({ typeId }) => {
    if (isTextType(typeId)) return textCell
    return isTimeType(typeId) ? (text: string) => [toIsoTime(text)] : (text: string) => [text]
  })
  for (const [index, { name }] of columns.entries()) {
    if (index > 0) yield ','
    yield* textCell(name)
  }
  yield '\r\n'
  for (const row of rows) {
    for (const [index, cell] of cells.entries()) {
      if (index > 0) yield ','
      const text = row[index] ?? null
      if (text !== null) yield* cell(text)
    }
    yield '\r\n'
  }
}

/**
 * The cell of a text that any stranger may have written. A long one is always quoted, so that it need not be searched.
 */
function textCell(text: string): Iterable<string> {
  if (text.length > PIECE_LENGTH) return longTextCell(text)
  const safe = guardOf(text) + escapeHiddenInCell(text)
  return [safe === '' || /[",\r\n]/.test(safe) ? `"${doubleQuotes(safe)}"` : safe]
}

function* longTextCell(text: string): Generator<string, void, undefined> {
  yield `"${guardOf(text)}`
  for (const piece of piecesOf(text)) yield doubleQuotes(escapeHiddenInCell(piece))
  yield '"'
}

/** A spreadsheet runs a cell that begins like a formula, and may skip what no reader sees before it. */
function guardOf(text: string): string {
  const isFormula = /^[\s\p{Cc}\p{Cf}\p{DI}]*[=+@\-＝＋－＠]|^[\t\r]/u.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
  return isFormula ? "'" : ''
}

/** As in JSON, but for the line breaks of a quoted cell: CR LF is one. */
function escapeHiddenInCell(text: string): string {
  return text.includes('\r\n') ? text.split('\r\n').map(escapeHidden).join('\r\n') : escapeHidden(text)
}

function doubleQuotes(text: string): string {
  return text.replaceAll('"', '""')
}
