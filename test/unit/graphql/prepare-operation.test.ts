import { getIntrospectionQuery } from 'graphql/index.js'
import { describe, expect, test } from 'vitest'
import { limit, refusalOf, refused } from './refusals.ts'

const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join(' ')

describe('documents', () => {
  test.each([
    ['rows of a list', '{ tasks(limit: 5) { items { id } } }'],
    ['the state of a page', '{ tasks { pageInfo { hasNextPage endCursor } totalCount } }'],
    ['a single row', '{ task(id: "0x01") { id } }'],
    ['the indexed head', '{ _meta { status } }'],
    [
      'rows through fragments',
      '{ ...A } fragment A on Query { tasks { ...B } } fragment B on taskPage { items { id } }',
    ],
    ['type names beside rows', '{ __typename tasks { __typename items { __typename id } } }'],
    ['names of types beside rows', '{ __schema { types { name } } tasks { items { id } } }'],
    ['300 fields', `{ tasks { items { ${'id '.repeat(298)} } } }`],
    ['five aliases', `{ ${many(5, (i) => `t${i}: tasks { totalCount }`)} }`],
    [
      'five root fields',
      '{ tasks { totalCount } bids { totalCount } claims { totalCount } awards { totalCount } agents { totalCount } }',
    ],
    ['the introspection of graphql-js', getIntrospectionQuery()],
    [
      'all of the introspection of graphql-js',
      getIntrospectionQuery({
        inputValueDeprecation: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
      }),
    ],
    ['one type', '{ __type(name: "taskFilter") { inputFields { name type { name ofType { name } } } } }'],
  ])('given %s, the document is accepted', (_, query) => {
    expect(refusalOf(query)).toBeNull()
  })

  test.each([
    ['six aliases', `{ ${many(6, (i) => `t${i}: task(id: "0x01") { id }`)} }`, limit('root fields')],
    ['six aliases of columns', `{ tasks { items { ${many(6, (i) => `c${i}: id`)} } } }`, limit('5 aliases')],
    [
      '10,000 aliases',
      `{ ${many(10_000, (i) => `t${i}: __typename`)} }`,
      refused('GRAPHQL_PARSE_FAILED', '1000 tokens'),
    ],
    ['six root fields', `{ ${many(6, () => 'tasks { totalCount }')} }`, limit('5 root fields')],
    [
      'six root fields in a fragment',
      `{ ...A ...A } fragment A on Query { ${many(3, () => 'tasks { totalCount }')} }`,
      limit('root fields'),
    ],
    [
      'aliases that fragments double',
      `{ tasks { items { ...A ...A } } } fragment A on task { ${many(3, (i) => `c${i}: id`)} }`,
      limit('aliases'),
    ],
    [
      'a doubling of doublings',
      `{ tasks { ...F0 } } ${many(60, (i) => `fragment F${i} on taskPage { ...F${i + 1} ...F${i + 1} }`)} fragment F60 on taskPage { n: totalCount }`,
      limit('aliases'),
    ],
    ['a level too many', '{ tasks { items { id { id } } } }', limit('4 levels')],
    [
      'a level too many through fragments',
      '{ tasks { ...A } } fragment A on taskPage { items { ...B } } fragment B on task { id { id } }',
      limit('4 levels'),
    ],
    [
      'a level too many of introspection beside rows',
      '{ tasks { totalCount } __schema { types { fields { name } } } }',
      limit('4 levels'),
    ],
    [
      '17 levels of introspection',
      `{ __schema { types ${'{ ofType '.repeat(13)} { name } ${'}'.repeat(13)} } }`,
      limit('16 levels'),
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
    ['1001 tokens', `{ tasks { items { ${'id '.repeat(993)} } } }`, refused('GRAPHQL_PARSE_FAILED', '1000 tokens')],
    ['301 fields', `{ tasks { items { ${'id '.repeat(299)} } } }`, limit('300 fields')],
    [
      '301 fields, most in a fragment that the operation has no use for',
      `{ __typename } fragment A on task { ${'id '.repeat(300)} }`,
      limit('300 fields'),
    ],
    [
      'a cycle of fragments',
      '{ tasks { ...A } } fragment A on taskPage { ...B } fragment B on taskPage { ...A }',
      refused('GRAPHQL_VALIDATION_FAILED', 'spread fragment'),
    ],
    ['a fragment that is not there', '{ ...A }', refused('GRAPHQL_VALIDATION_FAILED', 'Unknown fragment')],
    ['a mutation', 'mutation { tasks { totalCount } }', refused('GRAPHQL_VALIDATION_FAILED', 'Only queries')],
    ['a subscription', 'subscription { tasks { totalCount } }', refused('GRAPHQL_VALIDATION_FAILED', 'Only queries')],
    ['@defer', '{ ... @defer { tasks { totalCount } } }', refused('GRAPHQL_VALIDATION_FAILED', 'Unknown directive')],
    [
      '@stream',
      '{ tasks { items @stream(initialCount: 1) { id } } }',
      refused('GRAPHQL_VALIDATION_FAILED', 'Unknown directive'),
    ],
    [
      'a flood of directives',
      `{ tasks { totalCount ${'@include(if: true) '.repeat(140)} } }`,
      refused('GRAPHQL_VALIDATION_FAILED', 'only be used once'),
    ],
    ['no operation', 'fragment A on task { id }', refused('GRAPHQL_VALIDATION_FAILED', 'exactly one operation')],
    [
      'two operations and no name',
      'query A { __typename } query B { __typename }',
      refused('GRAPHQL_VALIDATION_FAILED', 'operationName'),
    ],
    ['no document', 'hello', refused('GRAPHQL_PARSE_FAILED', 'Unexpected Name')],
    ['a type system', 'type A { id: ID } { __typename }', refused('GRAPHQL_VALIDATION_FAILED', 'not executable')],
    [
      'a variable named __proto__',
      'query ($__proto__: taskFilter) { tasks(where: $__proto__) { totalCount } }',
      refused('GRAPHQL_VALIDATION_FAILED', 'underscores'),
    ],
    ['names of great length', `{ ${'x'.repeat(60_000)} }`, refused('GRAPHQL_VALIDATION_FAILED', 'Cannot query field')],
  ])('given %s, the document is refused', (_, query, refusal) => {
    expect(refusalOf(query)).toEqual(refusal)
  })

  test('given 1000 tokens, the document is accepted', () => {
    expect(refusalOf(`{ tasks { items { ${'... { id } '.repeat(247)} id id id id } } }`)).toBeNull()
  })

  test('given the name of one of two operations, the limits are those of that one', () => {
    const query = `query Small { tasks { totalCount } } query Large { ${many(6, () => 'tasks { totalCount }')} }`
    expect(refusalOf(query, {}, 'Small')).toBeNull()
    expect(refusalOf(query, {}, 'Large')).toEqual(limit('root fields'))
    expect(refusalOf(query, {}, 'Other')).toEqual(refused('GRAPHQL_VALIDATION_FAILED', 'operationName'))
  })
})
