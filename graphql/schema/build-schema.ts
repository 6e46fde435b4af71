import {
  type FieldNode,
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
} from 'graphql/index.js'
import { limits } from '../limits.ts'
import { buildFilter, type TableFilter } from './filter.ts'
import { buildGroups } from './groups.ts'
import { type ReadContext, type Row, readTogether } from './read-context.ts'
import { type ListArguments, type ListRequest, type Page, type Parents, readByKey, readPages } from './read-rows.ts'
import { type Relation, relationsOf } from './relations.ts'
import { GraphQLJson } from './scalars.ts'
import { fieldsBelow } from './selection.ts'
import { type MarketColumn, type MarketTable, tables } from './tables.ts'

/** A table, and the parts of the GraphQL schema that are built for it. */
interface TableTypes {
  table: MarketTable
  filter: TableFilter
  relations: readonly Relation[]
  row: GraphQLObjectType<Row, ReadContext>
  page: GraphQLObjectType
}

type Fields = GraphQLFieldConfigMap<unknown, ReadContext>

/**
 * Builds the GraphQL schema of the read model. Each table gets a type, and three query fields: for one row, for a list
 * and for groups. Names and filters are the same as in Ponder's own GraphQL. Example: the table `task` has the type
 * `task` and the fields `task(id)`, `tasks(where, limit)` and `taskGroups(by)`.
 */
export function buildMarketSchema(): GraphQLSchema {
  const types = new Map<MarketTable, TableTypes>()
  for (const table of tables) types.set(table, buildTypes(table, types))
  const fields = [...types.values()].flatMap((of): [string, GraphQLFieldConfig<unknown, ReadContext>][] => [
    [of.table.name, buildRow(of)],
    [of.table.plural, buildList(of)],
    [`${of.table.name}Groups`, buildGroups(of.table, of.filter) as GraphQLFieldConfig<unknown, ReadContext>],
  ])
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { ...(Object.fromEntries(fields) as Fields), _meta: buildMeta() },
    }),
  })
}

function buildMeta(): GraphQLFieldConfig<unknown, ReadContext> {
  return {
    description: 'The block of the answer: every field shows the state after it.',
    type: new GraphQLObjectType({ name: 'Meta', fields: { status: { type: GraphQLJson } } }),
    resolve: (_source, _values, { head, chain }) => {
      if (head === null) return { status: {} }
      const block = { number: Number(head.blockNumber), timestamp: Number(head.blockTimestamp) }
      return { status: { [chain.name]: { id: chain.chainId, block } } }
    },
  }
}

const pageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    startCursor: { type: GraphQLString },
    endCursor: { type: GraphQLString },
  },
})

function buildTypes(table: MarketTable, types: ReadonlyMap<MarketTable, TableTypes>): TableTypes {
  const relations = relationsOf(table)
  const row: TableTypes['row'] = new GraphQLObjectType({
    name: table.name,
    description: table.description,
    fields: () => ({
      ...Object.fromEntries([...table.columns].map(([name, column]) => [name, buildColumn(column)])),
      ...Object.fromEntries(relations.map((relation) => [relation.name, buildRelation(relation, types)])),
    }),
  })
  const page = new GraphQLObjectType({
    name: `${table.name}Page`,
    fields: {
      items: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(row))) },
      pageInfo: { type: new GraphQLNonNull(pageInfo) },
      totalCount: { type: new GraphQLNonNull(GraphQLInt), description: 'Rows of all pages.' },
    },
  })
  return { table, filter: buildFilter(table), relations, row, page }
}

function buildColumn({ type, isList, isNullable, description }: MarketColumn) {
  const value = isList ? new GraphQLList(type) : type
  return { type: isNullable ? value : new GraphQLNonNull(value), description }
}

function listArguments({ filter }: TableTypes) {
  return {
    where: { type: filter.type },
    orderBy: { type: GraphQLString, description: 'The name of a column; without it the key.' },
    orderDirection: { type: GraphQLString, description: '`asc` (default) or `desc`.' },
    before: { type: GraphQLString, description: 'A `pageInfo.startCursor`: the page before it.' },
    after: { type: GraphQLString, description: 'A `pageInfo.endCursor`: the page after it.' },
    limit: { type: GraphQLInt, description: `${limits.defaultRows} by default, at most ${limits.rows}.` },
    offset: { type: GraphQLInt },
  }
}

function buildRow(of: TableTypes): GraphQLFieldConfig<unknown, ReadContext> {
  const { table, row } = of
  const { name, type } = table.key
  return {
    type: row,
    description: `The row of the key; null: there is none.`,
    args: { [name]: { type: new GraphQLNonNull(type) } },
    resolve: async (_source, values, context, info) => {
      const key = table.key.isHex ? String(values[name]).toLowerCase() : values[name]
      const columns = columnsBelow(of, info.fieldNodes, info)
      return [...(await readByKey(context, { table, columns, by: table.key, keys: [key] })).values()][0] ?? null
    },
  }
}

function buildList(of: TableTypes): GraphQLFieldConfig<unknown, ReadContext, ListArguments> {
  return {
    type: new GraphQLNonNull(of.page),
    description: of.table.description,
    args: listArguments(of),
    resolve: async (_source, values, context, info) =>
      (await readPages(context, { request: listRequest(of, values, info), parents: null })).get(null),
  }
}

function buildRelation(
  { description, from, to, by, isList }: Relation,
  types: ReadonlyMap<MarketTable, TableTypes>,
): GraphQLFieldConfig<Row, ReadContext> {
  const of = types.get(to)
  if (of === undefined) throw new Error(`no types of ${to.name}`)
  const readOf = (
    parent: Row,
    context: ReadContext,
    nodes: readonly FieldNode[],
    read: (parents: Parents) => Promise<Map<unknown, Page | Row>>,
  ) => {
    const key = parent[from.name]
    return key === null ? null : readTogether(context, { nodes, key, read: (keys) => read({ by, keys }) })
  }
  if (!isList) {
    return {
      type: of.row,
      description,
      resolve: (parent, _values, context, info) =>
        readOf(parent, context, info.fieldNodes, (parents) =>
          readByKey(context, { table: to, columns: columnsBelow(of, info.fieldNodes, info), ...parents }),
        ),
    }
  }
  return {
    type: new GraphQLNonNull(of.page),
    description,
    args: listArguments(of),
    resolve: (parent, values: ListArguments, context, info) =>
      readOf(parent, context, info.fieldNodes, (parents) =>
        readPages(context, { request: listRequest(of, values, info), parents }),
      ),
  }
}

function listRequest(of: TableTypes, values: ListArguments, info: GraphQLResolveInfo): ListRequest {
  const fields = fieldsBelow(info.fieldNodes, info.fragments)
  const items = fields.get('items')
  const hasRows = items !== undefined || fields.has('pageInfo')
  return {
    table: of.table,
    filter: of.filter,
    values,
    columns: hasRows ? columnsBelow(of, items ?? [], info) : null,
    hasTotal: fields.has('totalCount'),
  }
}

/**
 * Returns the columns that must be read for the selected fields: the selected columns, and the columns whose values the
 * selected relations need.
 */
function columnsBelow(
  { table, relations }: TableTypes,
  nodes: readonly FieldNode[],
  { fragments }: GraphQLResolveInfo,
): MarketColumn[] {
  const fields = fieldsBelow(nodes, fragments)
  const starts = relations.flatMap(({ name, from }) => (fields.has(name) ? [from] : []))
  return [...new Set([...[...table.columns.values()].filter(({ name }) => fields.has(name)), ...starts])]
}
