import { arrayToJson, type ValueWriter } from './array-text.ts'
import { PIECE_LENGTH, piecesOf } from './text-pieces.ts'

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

/** Whether values of the type are times, which answers hold in ISO 8601. */
export function isTimeType(typeId: number): boolean {
  const { encoding, isArray } = knownTypes.get(typeId) ?? otherType
  return encoding === 'time' && !isArray
}

/**
 * The function that writes a value of this type, from PostgreSQL's text of it, as JSON on one line, in parts of about
 * PIECE_LENGTH characters.
 */
export function jsonWriterOf(typeId: number): (text: string | null) => Iterable<string> {
  const { encoding, isArray } = knownTypes.get(typeId) ?? otherType
  const writer = writers[encoding]
  return (text) => {
    if (text === null) return ['null']
    if (isArray) return arrayToJson(text, writer)
    if (text.length <= PIECE_LENGTH) return [writer.before + writer.write(text) + writer.after]
    return longValue(text, writer)
  }
}

/** ISO 8601 of PostgreSQL's text of a time; `infinity` and years before Christ stay as they are. */
export function toIsoTime(text: string): string {
  const [, date, time, zone = ''] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}${zone === '' ? '' : 'Z'}`
}

function* longValue(text: string, { before, write, after }: ValueWriter): Generator<string, void, undefined> {
  yield before
  for (const piece of piecesOf(text)) yield write(piece)
  yield after
}

/** A value of `boolean`, `number` and `time` is never longer than one part. */
const writers: Record<Encoding, ValueWriter> = {
  boolean: { before: '', write: (text) => (text === 't' ? 'true' : 'false'), after: '' },
  number: { before: '', write: numberToJson, after: '' },
  // The type `json` keeps the line breaks that it was given; in a document they stand between its parts alone.
  json: { before: '', write: (part) => part.replace(/[\r\n\t]/g, ' '), after: '' },
  time: { before: '"', write: toIsoTime, after: '"' },
  text: { before: '"', write: (part) => JSON.stringify(part).slice(1, -1), after: '"' },
}

/** NaN and the infinities are no numbers of JSON. */
function numberToJson(text: string): string {
  return text === 'NaN' || text.endsWith('y') ? JSON.stringify(text) : text
}
