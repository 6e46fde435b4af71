import { setImmediate as nextTurn } from 'node:timers/promises'
import type { QueryAnswer } from '../../analytics/run-query.ts'
import { isTextType, jsonWriterOf, toIsoTime, typeNameOf } from '../../analytics/text-values.ts'
import { escapeMarkup } from '../../http/json-text.ts'
import { toSnapshot } from './snapshot.mapper.ts'

/** The forms of an answer, by the media type that asks for them; the first is the default. */
export const answerTypes = ['application/json', 'application/x-ndjson', 'text/csv'] as const
export type AnswerType = (typeof answerTypes)[number]

/** Rows that are written between two turns of the event loop: other requests go on meanwhile. */
const ROWS_AT_ONCE = 500

/** The bytes of an answer, in parts. */
export async function writeAnswer(answer: QueryAnswer, type: AnswerType): Promise<Buffer> {
  const parts = [Buffer.from(headOf(answer, type))]
  const write = type === 'text/csv' ? csvLine(answer) : jsonObject(answer, type === 'application/json' ? '' : '\n')
  const separator = type === 'application/json' ? ',' : ''
  for (let start = 0; start < answer.rows.length; start += ROWS_AT_ONCE) {
    const rows = answer.rows.slice(start, start + ROWS_AT_ONCE).map(write)
    const lines = rows.join(separator)
    parts.push(Buffer.from(start === 0 ? lines : `${separator}${lines}`))
    await nextTurn()
  }
  if (type === 'application/json') parts.push(Buffer.from(']}'))
  return Buffer.concat(parts)
}

function headOf({ snapshot, columns, rows }: QueryAnswer, type: AnswerType): string {
  if (type === 'application/x-ndjson') return ''
  if (type === 'text/csv') return `${columns.map(({ name }) => csvCell(name)).join(',')}\r\n`
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
  const isFormula = /^[=+@\t\r-]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
  return isFormula ? `'${text}` : text
}

function csvCell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
