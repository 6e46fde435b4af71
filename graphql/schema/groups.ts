import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql/index.js'
import { Parameters, type TableFilter } from './filter.ts'
import type { ReadContext } from './read-context.ts'
import { rangeOf } from './read-rows.ts'
import { GraphQLBigInt, GraphQLJson } from './scalars.ts'
import { fieldsBelow } from './selection.ts'
import type { MarketColumn, MarketTable } from './tables.ts'

interface GroupArguments {
  by: string[]
  where?: unknown
  limit?: number | null
  offset?: number | null
}

/**
 * Builds the query field that groups the rows of a table by the values of columns, and counts and sums each group. The
 * largest group comes first.
 */
export function buildGroups(
  table: MarketTable,
  filter: TableFilter,
): GraphQLFieldConfig<unknown, ReadContext, GroupArguments> {
  const columns = [...table.columns.values()]
  const grouping = columns.filter(({ type, isList }) => !isList && type !== GraphQLJson)
  const summedColumns = columns.filter(({ type, isList }) => !isList && (type === GraphQLBigInt || type === GraphQLInt))
  const fields = (of: readonly MarketColumn[], type?: typeof GraphQLBigInt) =>
    Object.fromEntries(
      of.map((column) => [column.name, { type: type ?? column.type, description: column.description }]),
    )
  const key = new GraphQLObjectType({
    name: `${table.name}GroupKey`,
    description: 'The values that the rows of a group have in common; null also for a column that is not in `by`.',
    fields: fields(grouping),
  })
  const sum = new GraphQLObjectType({
    name: `${table.name}Sum`,
    description: 'Sums over the rows of a group; null: every value is null.',
    fields: fields(summedColumns, GraphQLBigInt),
  })
  const group = new GraphQLObjectType({
    name: `${table.name}Group`,
    fields: {
      key: { type: new GraphQLNonNull(key) },
      count: { type: new GraphQLNonNull(GraphQLInt), description: 'Rows of the group.' },
      ...(summedColumns.length > 0 && { sum: { type: new GraphQLNonNull(sum) } }),
    },
  })
  const by = new GraphQLEnumType({
    name: `${table.name}Column`,
    values: Object.fromEntries(grouping.map(({ name, description }) => [name, { description }])),
  })
  return {
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(group))),
    description: `Counts and sums of ${table.plural} by the values of columns, the largest group first; without a column one group.`,
    args: {
      by: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(by))) },
      where: { type: filter.type },
      limit: { type: GraphQLInt },
      offset: { type: GraphQLInt },
    },
    resolve: async (_source, { where, ...values }, { query }, { fieldNodes, fragments }) => {
      const sums = fieldsBelow(fieldsBelow(fieldNodes, fragments).get('sum') ?? [], fragments)
      const keys = grouping.filter(({ name }) => values.by.includes(name))
      const parameters = new Parameters()
      const condition = where === undefined ? 'true' : filter.write(where, parameters)
      const selections = [
        ...keys.map(({ sql, name }) => `${sql} as "key.${name}"`),
        'count(*) as "count"',
        ...summedColumns.flatMap(({ sql, name }) => (sums.has(name) ? [`sum(${sql}) as "sum.${name}"`] : [])),
      ]
      const list = keys.map(({ sql }) => sql).join(', ')
      const { limit, offset } = rangeOf(values)
      const rows = await query(
        [
          `select ${selections.join(', ')} from ${table.sql} where ${condition}`,
          keys.length === 0 ? '' : `group by ${list} order by "count" desc, ${list}`,
          `limit ${limit} offset ${offset}`,
        ].join(' '),
        parameters.values,
      )
      const part = (row: Record<string, unknown>, of: readonly MarketColumn[], name: string) =>
        Object.fromEntries(of.map((column) => [column.name, row[`${name}.${column.name}`] ?? null]))
      return rows.map((row) => ({
        key: part(row, keys, 'key'),
        count: row.count,
        sum: part(row, summedColumns, 'sum'),
      }))
    },
  }
}
