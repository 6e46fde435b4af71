import { setImmediate as nextTurn } from 'node:timers/promises'
import { AnswerTooLarge } from '../../analytics/reader-session.ts'
import type { QueryAnswer } from '../../analytics/run-query.ts'
import { isTextType, jsonWriterOf, toIsoTime, typeNameOf } from '../../analytics/text-values.ts'
import { escapeMarkup } from '../../http/json-text.ts'
import { toSnapshot } from './snapshot.mapper.ts'

/** The forms of an answer, by the media type that asks for them; the first is the default. */
export const answerTypes = ['application/json', 'application/x-ndjson', 'text/csv'] as const
export type AnswerType = (typeof answerTypes)[number]

/** Characters that are written between two turns of the event loop: other requests go on meanwhile. */
const CHARACTERS_AT_ONCE = 262_144

/**
 * The bytes of an answer.
 * @throws AnswerTooLarge beyond `maxBytes`: names of columns and escapes can make it larger than what the server sent
 */
export async function writeAnswer(
  answer: QueryAnswer,
  { type, maxBytes }: { type: AnswerType; maxBytes: number },
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  const add = (text: string) => {
    const part = Buffer.from(text)
    bytes += part.length
    if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes)
    parts.push(part)
  }
  const write = type === 'text/csv' ? csvLine(answer) : jsonObject(answer, type === 'application/json' ? '' : '\n')
  const separator = type === 'application/json' ? ',' : ''
  let text = headOf(answer, type)
  for (const [index, row] of answer.rows.entries()) {
    text += index === 0 ? write(row) : `${separator}${write(row)}`
    if (text.length < CHARACTERS_AT_ONCE) continue
    add(text)
    text = ''
    await nextTurn()
  }
  add(type === 'application/json' ? `${text}]}` : text)
  return Buffer.concat(parts)
}

function headOf({ snapshot, columns, rows }: QueryAnswer, type: AnswerType): string {
  if (type === 'application/x-ndjson') return ''
  if (type === 'text/csv') return `${columns.map(({ name }) => csvCell(withoutFormula(name))).join(',')}\r\n`
  const head = {
    ...toSnapshot(snapshot),
    columns: columns.map(({ name, typeId }) => ({ name, type: typeNameOf(typeId) })),
    rowCount: rows.length,
  }
  return escapeMarkup(`${JSON.stringify(head).slice(0, -1)},"rows":[`)
}

/** A row as an object, with what ends it: in NDJSON a line. */
function jsonObject({ columns }: QueryAnswer, end: '' | '\n'): (row: readonly (string | null)[]) => string {
  const writers = columns.map(({ name, typeId }) => ({ key: JSON.stringify(name), write: jsonWriterOf(typeId) }))
  return (row) => {
    const fields = writers.map(({ key, write }, index) => `${key}:${write(row[index] ?? null)}`)
    return escapeMarkup(`{${fields.join(',')}}${end}`)
  }
}

/** RFC 4180. NULL is an empty cell, an empty text is `""`. */
function csvLine({ columns }: QueryAnswer): (row: readonly (string | null)[]) => string {
  const cells = columns.map(({ typeId }) => {
    const isText = isTextType(typeId)
    return (text: string) => csvCell(isText ? withoutFormula(toIsoTime(text)) : toIsoTime(text))
  })
  return (row) => `${row.map((text, index) => (text === null ? '' : cells[index]?.(text))).join(',')}\r\n`
}

/** A spreadsheet runs a cell that begins like a formula; a text from the chain can be any stranger's. */
function withoutFormula(text: string): string {
  const isFormula = /^\s*[=+@\-＝＋－＠]|^[\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
  return isFormula ? `'${text}` : text
}

function csvCell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
