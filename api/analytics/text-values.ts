import { parse as parseArray } from 'postgres-array'

/** How values of a type stand in JSON. */
type Encoding = 'boolean' | 'number' | 'json' | 'time' | 'text'

interface KnownType {
  name: string
  encoding: Encoding
  isArray: boolean
}

/**
 * PostgreSQL's own types by their number, which never changes. Whole numbers of 64 bits and more are texts in JSON: a
 * client that reads numbers as doubles would change amounts.
 */
const scalars: readonly [id: number, arrayId: number, name: string, encoding: Encoding][] = [
  [16, 1000, 'boolean', 'boolean'],
  [21, 1005, 'smallint', 'number'],
  [23, 1007, 'integer', 'number'],
  [20, 1016, 'bigint', 'text'],
  [1700, 1231, 'numeric', 'text'],
  [700, 1021, 'real', 'number'],
  [701, 1022, 'double precision', 'number'],
  [25, 1009, 'text', 'text'],
  [1043, 1015, 'character varying', 'text'],
  [17, 1001, 'bytea', 'text'],
  [2950, 2951, 'uuid', 'text'],
  [114, 199, 'json', 'json'],
  [3802, 3807, 'jsonb', 'json'],
  [1082, 1182, 'date', 'text'],
  [1083, 1183, 'time without time zone', 'text'],
  [1114, 1115, 'timestamp without time zone', 'time'],
  [1184, 1185, 'timestamp with time zone', 'time'],
  [1186, 1187, 'interval', 'text'],
]

const knownTypes: ReadonlyMap<number, KnownType> = new Map(
  scalars.flatMap(([id, arrayId, name, encoding]): [number, KnownType][] => [
    [id, { name, encoding, isArray: false }],
    [arrayId, { name: `${name}[]`, encoding, isArray: true }],
  ]),
)

/** A type that is not listed, such as a row: its text is what the client gets. */
const otherType: KnownType = { name: 'other', encoding: 'text', isArray: false }

/** The SQL name of a type by its number; `other` for one that is not of PostgreSQL's own common ones. */
export function typeNameOf(typeId: number): string {
  return (knownTypes.get(typeId) ?? otherType).name
}

/** Whether values of the type are texts: a stranger may have written them on chain. */
export function isTextType(typeId: number): boolean {
  const { encoding, isArray } = knownTypes.get(typeId) ?? otherType
  return encoding === 'text' || encoding === 'json' || isArray
}

/** The function that writes a value of this type, from PostgreSQL's text of it, as JSON on one line. */
export function jsonWriterOf(typeId: number): (text: string | null) => string {
  const { encoding, isArray } = knownTypes.get(typeId) ?? otherType
  const write = (text: string) => toJson(text, encoding)
  if (!isArray) return (text) => (text === null ? 'null' : write(text))
  return (text) => (text === null ? 'null' : arrayToJson(parseArray(text), write))
}

/** ISO 8601 of PostgreSQL's text of a time; `infinity` and years before Christ stay as they are. */
export function toIsoTime(text: string): string {
  const [, date, time, zone = ''] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}${zone === '' ? '' : 'Z'}`
}

type Nested = string | null | Nested[]

function arrayToJson(value: Nested, write: (text: string) => string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map((each) => arrayToJson(each, write)).join(',')}]`
  return write(value)
}

function toJson(text: string, encoding: Encoding): string {
  if (encoding === 'boolean') return text === 't' ? 'true' : 'false'
  // NaN and the infinities are no numbers of JSON.
  if (encoding === 'number' && /^[-\d]/.test(text) && !text.endsWith('y')) return text
  // The type `json` keeps the line breaks that it was given; in a document they stand between its parts alone.
  if (encoding === 'json') return text.replace(/[\r\n\t]/g, ' ')
  return JSON.stringify(encoding === 'time' ? toIsoTime(text) : text)
}
