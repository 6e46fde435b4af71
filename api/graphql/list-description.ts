import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isObjectType,
} from 'graphql/index.js'
import type { SortableColumns } from './cursor.ts'

/** Columns by which a list of rows can be sorted. */
export interface ListDescription {
  columns: SortableColumns
  /** The columns of the primary key, which every list is sorted by after orderBy. */
  key: readonly string[]
}

/** Describes the list of a field of the schema; null for a field that is no list of rows. */
export function describeList(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): ListDescription | null {
  const page = getNamedType(field.type)
  const items = isObjectType(page) ? page.getFields().items : undefined
  const row = items === undefined ? undefined : getNamedType(items.type)
  if (!isObjectType(row)) return null
  // Not the columns that are lists, and not json: Postgres has no order of json values.
  const columns = Object.values(row.getFields()).flatMap(({ name, type }): [string, string][] => {
    const value = getNullableType(type)
    return isLeafType(value) && value.name !== 'JSON' ? [[name, value.name]] : []
  })
  const single = Object.values(schema.getQueryType()?.getFields() ?? {}).find(({ type }) => getNamedType(type) === row)
  return { columns: new Map(columns), key: (single?.args ?? []).map(({ name }) => name) }
}

/** The columns that a list is sorted by, each once: the argument orderBy, if there is one, and the key. */
export function sortColumns(orderBy: unknown, key: readonly string[]): string[] {
  return typeof orderBy === 'string' ? [orderBy, ...key.filter((name) => name !== orderBy)] : [...key]
}
