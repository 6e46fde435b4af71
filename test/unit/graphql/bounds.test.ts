import { getIntrospectionQuery } from 'graphql/index.js'
import { describe, expect, test } from 'vitest'
import { createPrepareOperation } from '../../../graphql/bounds.ts'
import { RequestError } from '../../../graphql/request-error.ts'
import { buildMarketSchema } from '../../../graphql/schema/build-schema.ts'

const prepareOperation = createPrepareOperation(buildMarketSchema())

/** The refusal of a request, `CODE: message`; null when it is accepted. */
function refusalOf(query: string, variables: Record<string, unknown> = {}, operationName: string | null = null) {
  try {
    prepareOperation({ query, variables, operationName })
    return null
  } catch (error) {
    if (error instanceof RequestError) return `${error.code}: ${error.message}`
    throw error
  }
}

const refused = (code: string, words: string) => expect.stringMatching(new RegExp(`^${code}: .*${words}`))
const limit = (words: string) => refused('LIMIT_EXCEEDED', words)
const invalid = (words: string) => refused('GRAPHQL_VALIDATION_FAILED', words)
const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join(' ')
const chain = (last: string) =>
  `${many(60, (i) => `fragment F${i} on taskPage { ...F${i + 1} ...F${i + 1} }`)} fragment F60 on taskPage { ${last} }`

describe('documents', () => {
  test.each([
    ['rows of a list', '{ tasks(limit: 5) { items { id } } }'],
    ['rows through fragments', '{ ...A } fragment A on Query { tasks { ...B } } fragment B on taskPage { totalCount }'],
    [
      'relations of eight levels',
      '{ awards { items { task { awards { items { task { requesterAgent { address } } } } } } } }',
    ],
    [
      'names of types beside rows',
      '{ __typename __schema { types { name } } tasks { __typename items { __typename } } }',
    ],
    ['five aliases', `{ ${many(5, (i) => `t${i}: tasks { totalCount }`)} }`],
    [
      'the introspection of graphql-js',
      getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true }),
    ],
    ['rows of rows within the values', '{ tasks(limit: 100) { items { id awards(limit: 100) { totalCount } } } }'],
  ])('given %s, the document is accepted', (_, query) => {
    expect(refusalOf(query)).toBeNull()
  })

  test.each([
    ['six aliases', `{ ${many(6, (i) => `t${i}: task(id: "0x01") { id }`)} }`, limit('5 aliases')],
    ['aliases that fragments double', `{ tasks { ...F0 } } ${chain('n: totalCount')}`, limit('5 aliases')],
    [
      'nine levels through fragments',
      '{ tasks { ...A } } fragment A on taskPage { items { awards { items { task { awards { items { task { id } } } } } } } }',
      limit('8 levels'),
    ],
    ['1001 tokens', `{ tasks { items { ${'id '.repeat(993)} } } }`, refused('GRAPHQL_PARSE_FAILED', '1000 tokens')],
    ['values that fragments double', `{ tasks { ...F0 } } ${chain('totalCount')}`, limit('50000 values')],
    [
      'rows of rows',
      '{ tasks(limit: 100) { items { awards(limit: 100) { items { id worker rank rating } } } } }',
      limit('50000 values, .* could get 50201: lower the argument limit'),
    ],
    [
      'nested lists of introspection',
      '{ __schema { types { fields { type { fields { name } } } } } }',
      limit('nested'),
    ],
    [
      'nested lists of introspection through fragments',
      '{ __type(name: "task") { ...A } } fragment A on __Type { inputFields { type { ...B } } } fragment B on __Type { interfaces { name } }',
      limit('nested'),
    ],
    [
      'a cycle of fragments',
      '{ tasks { ...A } } fragment A on taskPage { ...B } fragment B on taskPage { ...A }',
      invalid('spread fragment'),
    ],
    ['a mutation', 'mutation { tasks { totalCount } }', refused('GRAPHQL_VALIDATION_FAILED', '')],
    ['@defer', '{ ... @defer { tasks { totalCount } } }', invalid('Unknown directive')],
    ['no operation', 'fragment A on task { id }', refused('GRAPHQL_VALIDATION_FAILED', '')],
    ['two operations and no name', 'query A { __typename } query B { __typename }', invalid('operationName')],
    ['no document', 'hello', refused('GRAPHQL_PARSE_FAILED', 'Unexpected Name')],
    ['names of great length', `{ ${'x'.repeat(60_000)} }`, invalid('Cannot query field')],
    ['a word that no enum has', '{ tasks(where: { status: opne }) { totalCount } }', invalid('Did you mean .*"open"')],
    ['an enum as a text', '{ tasks(where: { mode: "claim" }) { totalCount } }', invalid('Did you mean .*"claim"')],
  ])('given %s, the document is refused', (_, query, refusal) => {
    expect(refusalOf(query)).toEqual(refusal)
    // The answer of a document that was refused before is the same.
    expect(refusalOf(query)).toEqual(refusal)
  })
})

describe('rows of a list', () => {
  test.each([
    ['limit', 100, 101],
    ['limit', 0, -1],
    ['offset', 10_000, 10_001],
    ['offset', 0, -1],
  ])('given %s, %i is accepted and %i is refused, wherever it stands', (name, edge, beyond) => {
    const inDocument = (value: number) => refusalOf(`{ tasks(${name}: ${value}) { totalCount } }`)
    const inVariable = (n: number) => refusalOf(`query ($n: Int) { tasks(${name}: $n) { totalCount } }`, { n })
    const inRelation = (value: number) =>
      refusalOf(`{ task(id: "0x1") { ... { awards(${name}: ${value}) { totalCount } } } }`)
    for (const refusal of [inDocument, inVariable, inRelation]) {
      expect(refusal(edge)).toBeNull()
      expect(refusal(beyond)).toEqual(limit(name))
    }
  })
})

describe('variables', () => {
  test.each([
    ['no value of a required one', 'query ($id: String!) { task(id: $id) { id } }', {}],
    ['a text for a number', 'query ($n: Int) { tasks(limit: $n) { totalCount } }', { n: '1' }],
    [
      'a word that no enum has',
      'query ($s: TaskStatus) { tasks(where: { status: $s }) { totalCount } }',
      { s: 'opne' },
    ],
    [
      'a number of 79 digits',
      'query ($n: BigInt) { tasks(where: { reward: $n }) { totalCount } }',
      { n: '9'.repeat(79) },
    ],
    ['another column', 'query ($w: taskFilter) { tasks(where: $w) { totalCount } }', { w: { constructor: 'x' } }],
  ])('given %s, the request is refused', (_, query, variables) => {
    expect(refusalOf(query, variables)).toEqual(refused('BAD_USER_INPUT', 'Variable'))
  })

  test('given the name of one of two operations, its values count', () => {
    const query = 'query Small { tasks { totalCount } } query Large { tasks(limit: 101) { totalCount } }'
    expect(refusalOf(query, {}, 'Small')).toBeNull()
    expect(refusalOf(query, {}, 'Large')).toEqual(limit('limit'))
    expect(refusalOf(query, {}, 'Other')).toEqual(invalid('operationName'))
  })
})
