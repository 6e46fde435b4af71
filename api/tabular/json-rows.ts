import { parse as parseArray } from 'postgres-array'
import { escapeMarkup } from '../text/json-text.ts'
import { type Column, columnTypeOf, type TextRow, toIsoTime, type ValueKind } from './column-types.ts'

/**
 * Returns the function that writes a row as a JSON object on one line. `bigint` and `numeric` values become strings,
 * because doubles would change large amounts. Example: `{"id":"TSK-1","reward":"5000000","listed":true}`.
 */
export function jsonRowWriter(columns: readonly Column[]): (row: TextRow) => string {
  const writers = columns.map(({ name, typeId }) => {
    const { kind, isArray } = columnTypeOf(typeId)
    const write = (text: string | null) => (text === null ? 'null' : scalars[kind](text))
    return {
      key: `${JSON.stringify(name)}:`,
      write: isArray ? (text: string | null) => arrayOf(text, write) : write,
    }
  })
  return (row) => escapeMarkup(`{${writers.map(({ key, write }, index) => key + write(row[index] ?? null)).join(',')}}`)
}

const scalars: Record<ValueKind, (text: string) => string> = {
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  integer: (text) => text,
  // NaN and the infinities are no JSON numbers.
  float: (text) => (text === 'NaN' || text.endsWith('y') ? JSON.stringify(text) : text),
  // The type `json` keeps its line breaks, which in a document occur only between its parts.
  json: (text) => text.replace(/[\r\n\t]/g, ' '),
  time: (text) => JSON.stringify(toIsoTime(text)),
  bigint: JSON.stringify,
  numeric: JSON.stringify,
  text: JSON.stringify,
}

type Nested = (string | Nested)[]

/**
 * Converts an array from PostgreSQL's text to JSON text. `write` converts each element. Example: `{t,NULL}` becomes
 * `[true,null]`.
 */
function arrayOf(text: string | null, write: (text: string | null) => string): string {
  if (text === null) return 'null'
  const join = (list: Nested): string =>
    `[${list.map((each) => (Array.isArray(each) ? join(each) : (each ?? 'null'))).join(',')}]`
  return join(parseArray(text, write) as Nested)
}
