import { describe, expect, test } from 'vitest'
import { parseRequestBody } from '../../../api/graphql/parse-request-body.ts'

const query = '{ __typename }'
const nested = (levels: number): string => `{"query":"x","variables":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
const values = (count: number): string => JSON.stringify({ query, variables: { list: Array(count).fill(0) } })

describe('bodies', () => {
  test('given a query alone, there are no variables and no name', () => {
    expect(parseRequestBody(JSON.stringify({ query }))).toEqual({ query, variables: {}, operationName: null })
  })

  test('given every member, other members are ignored', () => {
    const body = { query, variables: { a: [1] }, operationName: 'A' }
    expect(parseRequestBody(JSON.stringify({ ...body, extensions: { a: 1 } }))).toEqual(body)
  })

  test.each([
    ['no JSON', '{query}', 'not valid JSON'],
    ['nothing', '', 'not valid JSON'],
    ['a batch', JSON.stringify([{ query }]), 'batch'],
    ['a text', '"{ __typename }"', 'JSON object'],
    ['null', 'null', 'JSON object'],
    ['no query', '{}', 'member query'],
    ['an empty query', '{"query": " "}', 'member query'],
    ['a query that is no text', '{"query": {}}', 'member query'],
    ['a list of variables', '{"query": "x", "variables": []}', 'member variables'],
    ['a text of variables', '{"query": "x", "variables": "{}"}', 'member variables'],
    ['a name that is no text', '{"query": "x", "operationName": 1}', 'operationName'],
    ['variables of 13 levels', nested(13), '12 levels'],
    ['variables of 8000 levels', nested(8000), '12 levels'],
    ['1001 values', values(999), '1000 values'],
  ])('given %s, the body is refused with what it must be', (_, text, words) => {
    expect(() => parseRequestBody(text)).toThrow(words)
  })

  test('given variables at the limits, they are accepted', () => {
    expect(parseRequestBody(nested(12)).query).toBe('x')
    expect(parseRequestBody(values(998)).query).toBe(query)
  })
})
