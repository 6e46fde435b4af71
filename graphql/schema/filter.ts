import {
  GraphQLFloat,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLString,
} from 'graphql/index.js'
import { limits } from '../limits.ts'
import { refuse } from '../request-error.ts'
import { GraphQLBigInt, GraphQLJson } from './scalars.ts'
import type { MarketColumn, MarketTable } from './tables.ts'

/** Collects the parameter values of an SQL statement. `add` returns the placeholder of a value, such as `$1`. */
export class Parameters {
  readonly values: unknown[] = []
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

type Write = (column: string, value: string) => string

/**
 * Returns the SQL condition that a column's value is in a list. A key can be joined from the values of two columns (see
 * `beginSql`). For such a key, the condition also compares the first of the two columns, so that PostgreSQL can use
 * that column's index.
 */
export function isAmong({ sql, beginSql }: MarketColumn, list: string): string {
  const isOne = `${sql} = any(${list})`
  return beginSql === null
    ? isOne
    : `(${isOne} and ${beginSql} = any(array(select split_part(value, ':', 1) from unnest(${list}) as value)))`
}

const equality: Record<string, Write> = {
  '': (column, value) => `${column} = ${value}`,
  _not: (column, value) => `${column} <> ${value}`,
}
const membership: Record<string, Write> = {
  _in: (column, value) => `${column} = any(${value})`,
  _not_in: (column, value) => `${column} <> all(${value})`,
}
const order: Record<string, Write> = {
  _gt: (column, value) => `${column} > ${value}`,
  _lt: (column, value) => `${column} < ${value}`,
  _gte: (column, value) => `${column} >= ${value}`,
  _lte: (column, value) => `${column} <= ${value}`,
}
const patterns: Record<string, Write> = Object.fromEntries(
  ['', '_nocase'].flatMap((suffix) => {
    const like = suffix === '' ? 'like' : 'ilike'
    return ['', '_not'].flatMap((not): [string, Write][] => {
      const operator = not === '' ? like : `not ${like}`
      return [
        [`${not}_contains${suffix}`, (column, value) => `${column} ${operator} '%' || ${value} || '%'`],
        [`${not}_starts_with${suffix}`, (column, value) => `${column} ${operator} ${value} || '%'`],
        [`${not}_ends_with${suffix}`, (column, value) => `${column} ${operator} '%' || ${value}`],
      ]
    })
  }),
)
/**
 * Pattern conditions for addresses and hashes. The variants that ignore case (`_nocase`) are left out, because
 * addresses and hashes are stored in lower case.
 */
const exactPatterns = Object.fromEntries(Object.entries(patterns).filter(([suffix]) => !suffix.endsWith('_nocase')))
const listEquality: Record<string, Write> = {
  '': (column, value) => `(${column} @> ${value} and ${column} <@ ${value})`,
  _not: (column, value) => `not (${column} @> ${value} and ${column} <@ ${value})`,
}
const containment: Record<string, Write> = {
  _has: (column, value) => `${column} @> ${value}`,
  _not_has: (column, value) => `not ${column} @> ${value}`,
}

interface Condition {
  column: MarketColumn
  write: Write
  /**
   * The form of the statement's parameter: one value, a list of values, or a list that contains only the given value.
   */
  takes: 'one' | 'many' | 'element'
}

type Filter = { [condition: string]: unknown; AND?: Filter[]; OR?: Filter[] }

/** The type of the argument `where` of a table, and its translation to SQL. */
export interface TableFilter {
  type: GraphQLInputObjectType
  /**
   * Returns the SQL condition of a filter. @throws RequestError if the filter exceeds a limit, or has a null where none
   * is allowed
   */
  write(where: unknown, parameters: Parameters): string
}

export function buildFilter(table: MarketTable): TableFilter {
  const conditions = new Map([...table.columns.values()].flatMap(conditionsOf))
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${table.name}Filter`,
    description: 'Conditions that must all hold.',
    fields: (): GraphQLInputFieldConfigMap => ({
      AND: { type: new GraphQLList(type), description: 'Filters that must all hold.' },
      OR: { type: new GraphQLList(type), description: 'Filters of which one must hold.' },
      ...Object.fromEntries(
        [...conditions].map(([name, { column, takes }]) => [
          name,
          { type: takes === 'many' ? new GraphQLList(column.type) : column.type },
        ]),
      ),
    }),
  })
  return {
    type,
    write: (where, parameters) => {
      let count = 0
      const writeAll = (filter: Filter | null): string => {
        if (filter === null) refuse('BAD_USER_INPUT', 'A filter must be left out instead of being null.')
        const parts = Object.entries(filter).map(([name, value]) => {
          count += 1
          if (count > limits.conditions) {
            refuse('LIMIT_EXCEEDED', `A filter may have at most ${limits.conditions} conditions, AND and OR counted.`)
          }
          const condition = conditions.get(name)
          if (condition !== undefined) return writeCondition(name, { condition, value, parameters })
          if (!Array.isArray(value)) refuse('BAD_USER_INPUT', `${name} must be a list of filters.`)
          const nestedConditions = value.map((entry) => `(${writeAll(entry)})`)
          return name === 'AND'
            ? nestedConditions.join(' and ') || 'true'
            : `(${nestedConditions.join(' or ') || 'true'})`
        })
        return parts.join(' and ') || 'true'
      }
      return writeAll(where as Filter)
    },
  }
}

function isOneOf(column: MarketColumn): Write {
  return (_, value) => isAmong(column, `array[${value}]::text[]`)
}

function conditionsOf(column: MarketColumn): [string, Condition][] {
  const { name, type, isList } = column
  const all = (writes: Record<string, Write>, takes: Condition['takes']): [string, Condition][] =>
    Object.entries(writes).map(([suffix, write]) => [`${name}${suffix}`, { column, write, takes }])
  if (type === GraphQLJson) return []
  if (isList) return [...all(listEquality, 'many'), ...all(containment, 'element')]
  const isNumber = type === GraphQLBigInt || type === GraphQLInt || type === GraphQLFloat
  return [
    ...all(column.beginSql === null ? equality : { ...equality, '': isOneOf(column) }, 'one'),
    ...all(
      column.beginSql === null ? membership : { ...membership, _in: (_, list) => isAmong(column, `${list}::text[]`) },
      'many',
    ),
    ...(isNumber ? all(order, 'one') : []),
    ...(type === GraphQLString ? all(column.isHex ? exactPatterns : patterns, 'one') : []),
  ]
}

function writeCondition(
  name: string,
  { condition, value, parameters }: { condition: Condition; value: unknown; parameters: Parameters },
): string {
  const { column, write, takes } = condition
  const isNot = name === `${column.name}_not`
  if (value === null && takes === 'one' && (name === column.name || isNot)) {
    return `${column.sql} is ${isNot ? 'not ' : ''}null`
  }
  const values = takes === 'many' ? value : [value]
  if (!Array.isArray(values) || values.includes(null)) refuse('BAD_USER_INPUT', `The condition ${name} takes no null.`)
  if (values.length > limits.listValues) {
    refuse('LIMIT_EXCEEDED', `The condition ${name} may have at most ${limits.listValues} values.`)
  }
  if (values.some((entry) => typeof entry === 'string' && entry.length > limits.textCharacters)) {
    refuse('LIMIT_EXCEEDED', `A text of ${name} may have at most ${limits.textCharacters} characters.`)
  }
  const storedValues = column.isHex ? values.map((entry) => String(entry).toLowerCase()) : values
  return write(column.sql, parameters.add(takes === 'one' ? storedValues[0] : storedValues))
}
