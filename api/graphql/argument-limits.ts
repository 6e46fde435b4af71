import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  isInputObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql/index.js'
import { type ArgumentProblem, firstProblem, overLimit, unusable } from './argument-problem.ts'
import { parseCursor } from './cursor.ts'
import { findFilterProblem, findValueProblem } from './filter-limits.ts'
import { limits } from './limits.ts'
import { describeList, type ListDescription, sortColumns } from './list-description.ts'

/** A valid document of one operation, with its variables as graphql-js has coerced them. */
export interface CoercedOperation {
  document: DocumentNode
  variables: Record<string, unknown>
}

/**
 * Checks the arguments of every field, wherever their values are written: in the document, in variables or in defaults.
 * graphql-js resolves them by the same function as for the resolvers.
 * @returns what is wrong with the first that is refused; null when none is
 */
export function findArgumentProblem(
  schema: GraphQLSchema,
  { document, variables }: CoercedOperation,
): ArgumentProblem | null {
  const typeInfo = new TypeInfo(schema)
  let problem: ArgumentProblem | null = null
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field: (node) => {
        const field = typeInfo.getFieldDef()
        if (problem !== null || !field || field.args.length === 0) return
        problem = findFieldProblem(schema, { field, values: getArgumentValues(field, node, variables) })
      },
    }),
  )
  return problem
}

type Field = GraphQLField<unknown, unknown>
type Values = Record<string, unknown>

function findFieldProblem(
  schema: GraphQLSchema,
  { field, values }: { field: Field; values: Values },
): ArgumentProblem | null {
  const list = describeList(schema, field)
  // A single row, or introspection: its arguments are keys and flags.
  if (list === null) return firstProblem(Object.entries(values).map(([name, value]) => findValueProblem(name, value)))
  const filterType = field.args.find(({ name }) => name === 'where')?.type
  return firstProblem([
    findRangeProblem('limit', { value: values.limit, most: limits.rows }),
    findRangeProblem('offset', { value: values.offset, most: limits.offset }),
    findOrderProblem(values, list) ?? findCursorProblem(values, list),
    values.where !== undefined && isInputObjectType(filterType) ? findFilterProblem(values.where, filterType) : null,
  ])
}

function findRangeProblem(name: string, { value, most }: { value: unknown; most: number }): ArgumentProblem | null {
  if (value === undefined || value === null) return null
  if (Number(value) >= 0 && Number(value) <= most) return null
  const advice = 'use after with pageInfo.endCursor to get to the rows that follow.'
  return overLimit(`The argument ${name} may be 0 to ${most}, not ${value}; ${advice}`)
}

function findOrderProblem({ orderBy, orderDirection }: Values, { columns }: ListDescription): ArgumentProblem | null {
  if (orderBy !== undefined && !(typeof orderBy === 'string' && columns.has(orderBy))) {
    return unusable(`The argument orderBy must be left out or name a column: ${[...columns.keys()].join(', ')}.`)
  }
  if (orderDirection === undefined || orderDirection === null) return null
  const isKnown = orderDirection === 'asc' || orderDirection === 'desc'
  return isKnown ? null : unusable('The argument orderDirection must be "asc" or "desc".')
}

function findCursorProblem(
  { after, before, offset, orderBy }: Values,
  { columns, key }: ListDescription,
): ArgumentProblem | null {
  const cursors = [after, before].filter((cursor) => typeof cursor === 'string')
  if (cursors.length === 0) return null
  if (cursors.length === 2) return unusable('Only one of the arguments after and before can be used.')
  if (Number(offset ?? 0) !== 0) return unusable('The argument offset cannot be used beside after or before.')
  const sortedBy = sortColumns(orderBy, key)
  if (cursors.every((cursor) => parseCursor(cursor, { columns, sortedBy }) !== null)) return null
  return unusable('The arguments after and before take a pageInfo.endCursor or startCursor of the same orderBy.')
}
