import { describe, expect, test } from 'vitest'
import { readBody } from '../../../graphql/read-body.ts'

const query = '{ __typename }'
const nested = (levels: number): string => `{"query":"x","variables":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
const values = (count: number): string => JSON.stringify({ query, variables: { list: Array(count).fill(0) } })

describe('bodies', () => {
  test('given every member, other members are ignored, and those left out have defaults', () => {
    const body = { query, variables: { a: [1] }, operationName: 'A' }
    expect(readBody(JSON.stringify({ ...body, extensions: { a: 1 } }))).toEqual(body)
    expect(readBody(JSON.stringify({ query }))).toEqual({ query, variables: {}, operationName: null })
  })

  test.each([
    ['no JSON', '{query}', 'not valid JSON'],
    ['a batch', JSON.stringify([{ query }]), 'batch'],
    ['a text', '"{ __typename }"', 'body: '],
    ['an empty query', '{"query": " "}', 'query: must be a GraphQL document'],
    ['a list of variables', '{"query": "x", "variables": []}', 'variables: '],
    ['a name that is no text', '{"query": "x", "operationName": 1}', 'operationName: '],
    ['variables of 13 levels', nested(13), '12 levels'],
    ['variables of 8000 levels', nested(8000), '12 levels'],
    ['1001 values', values(999), '1000 values'],
  ])('given %s, the body is refused with what it must be', (_, text, words) => {
    expect(() => readBody(text)).toThrow(words)
  })

  test('given variables at the limits, they are accepted', () => {
    expect(readBody(nested(12)).query).toBe('x')
    expect(readBody(values(998)).query).toBe(query)
  })
})
