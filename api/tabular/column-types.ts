/** The kind of a PostgreSQL type. The kind decides how a value's text is parsed. */
export type ValueKind = 'boolean' | 'integer' | 'bigint' | 'numeric' | 'float' | 'json' | 'time' | 'text'

export interface ColumnType {
  /** The name of the type in PostgreSQL. */
  name: string
  kind: ValueKind
  isArray: boolean
}

/** A column of a query result: its name, and the object id of its PostgreSQL type. */
export interface Column {
  name: string
  typeId: number
}

/** A row of a query result: the text of each value as the database server writes it, or null. */
export type TextRow = (string | null)[]

/** The known PostgreSQL types. Their object ids are the same in every database. */
const scalars: readonly [id: number, arrayId: number, name: string, kind: ValueKind][] = [
  [16, 1000, 'boolean', 'boolean'],
  [21, 1005, 'smallint', 'integer'],
  [23, 1007, 'integer', 'integer'],
  [20, 1016, 'bigint', 'bigint'],
  [1700, 1231, 'numeric', 'numeric'],
  [700, 1021, 'real', 'float'],
  [701, 1022, 'double precision', 'float'],
  [25, 1009, 'text', 'text'],
  [19, 1003, 'name', 'text'],
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

const knownTypes: ReadonlyMap<number, ColumnType> = new Map(
  scalars.flatMap(([id, arrayId, name, kind]): [number, ColumnType][] => [
    [id, { name, kind, isArray: false }],
    [arrayId, { name: `${name}[]`, kind, isArray: true }],
  ]),
)

/**
 * The type for each object id that is not in `scalars`, such as the id of a row type. Clients get the text of such
 * values.
 */
const otherType: ColumnType = { name: 'other', kind: 'text', isArray: false }

/**
 * Returns the type with an object id, or `otherType` if the id is not in `scalars`. Example: `columnTypeOf(20).name`
 * returns `'bigint'`.
 */
export function columnTypeOf(typeId: number): ColumnType {
  return knownTypes.get(typeId) ?? otherType
}

/**
 * Converts PostgreSQL's text of a time to ISO 8601. Other texts, such as `infinity` and years BC, are returned
 * unchanged. Example: `toIsoTime('2030-01-31 12:00:00+00')` returns `'2030-01-31T12:00:00Z'`.
 */
export function toIsoTime(text: string): string {
  const [, date, time, zone = ''] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}${zone === '' ? '' : 'Z'}`
}
