import { describe, expect, test } from 'vitest'
import { limit, refusalOf, unusable } from './refusals.ts'

describe('arguments', () => {
  const conditions = (count: number) => Array.from({ length: count }, () => ({ bidCount: 1 }))
  const nested = (levels: number): object => (levels === 0 ? { bidCount: 1 } : { AND: [nested(levels - 1)] })

  test.each([
    ['limit', 100, 101],
    ['limit', 0, -1],
    ['offset', 10_000, 10_001],
    ['offset', 0, -1],
  ])('given %s, %i is accepted and %i is refused, wherever it stands', (name, edge, beyond) => {
    const inDocument = (value: number) => `{ tasks(${name}: ${value}) { totalCount } }`
    const inVariable = `query ($n: Int) { tasks(${name}: $n) { totalCount } }`
    const inDefault = (value: number) => `query ($n: Int = ${value}) { tasks(${name}: $n) { totalCount } }`
    const inFragment = (value: number) =>
      `{ ...A } fragment A on Query { ... { tasks(${name}: ${value}) @skip(if: true) { totalCount } } }`
    expect(refusalOf(inDocument(edge))).toBeNull()
    expect(refusalOf(inVariable, { n: edge })).toBeNull()
    expect(refusalOf(inDefault(edge))).toBeNull()
    expect(refusalOf(inFragment(edge))).toBeNull()
    expect(refusalOf(inDocument(beyond))).toEqual(limit(name))
    expect(refusalOf(inVariable, { n: beyond })).toEqual(limit(name))
    expect(refusalOf(inDefault(beyond))).toEqual(limit(name))
    expect(refusalOf(inFragment(beyond))).toEqual(limit(name))
  })

  test('given only nulls and defaults, the list is accepted', () => {
    expect(refusalOf('query ($n: Int) { tasks(limit: $n, offset: null, after: null) { totalCount } }')).toBeNull()
    expect(refusalOf('query ($n: Int) { tasks(limit: $n, offset: null) { totalCount } }', { n: null })).toBeNull()
  })

  test.each([
    ['50 conditions', { AND: conditions(50) }, null],
    ['51 conditions', { AND: conditions(51) }, limit('50 conditions')],
    [
      '51 conditions in several groups',
      { bidCount: 1, AND: conditions(25), OR: conditions(25) },
      limit('50 conditions'),
    ],
    ['groups of five levels', nested(5), null],
    ['groups of six levels', nested(6), limit('5 levels')],
    ['100 values', { id_in: Array(100).fill('0x01') }, null],
    ['101 values', { id_in: Array(101).fill('0x01') }, limit('id_in .* 100 values')],
    ['101 excluded values', { AND: [{ mode_not_in: Array(101).fill('x') }] }, limit('mode_not_in')],
    ['101 values of a list column', { tagHashes: Array(101).fill('0x01') }, limit('tagHashes')],
    ['no value of a list column', { tagHashes: [] }, unusable('at least one value')],
    ['no values', { id_in: [] }, null],
    ['a text of 200 characters', { mode_contains: 'x'.repeat(200) }, null],
    ['a text of 201 characters', { mode_contains: 'x'.repeat(201) }, limit('200 characters')],
    ['a text of 201 characters in a list', { mode_in: ['x'.repeat(201)] }, limit('200 characters')],
    ['a key of 201 characters', { id: 'x'.repeat(201) }, limit('200 characters')],
    ['a number of 78 digits', { reward_gt: '9'.repeat(78) }, null],
    ['a number of 79 digits', { reward_gt: '9'.repeat(79) }, limit('78 digits')],
    ['null instead of a filter', null, unusable('left out')],
    ['null instead of a group', { AND: null }, unusable('list of filters')],
    ['null in a group', { OR: [null] }, unusable('list of filters')],
    ['null instead of values', { id_in: null }, unusable('not null')],
    ['null as a value', { worker: null, worker_not: null, worker_in: [null] }, null],
    ['a column that is not there', { nothing: 1 }, unusable('nothing')],
    ['a name of every object', { constructor: 'x' }, unusable('constructor')],
    ['another type', { bidCount: 'x' }, unusable('Int')],
    ['a number that is none', { reward: 'x' }, unusable('BigInt')],
  ])('given %s in a filter, it is accepted or refused alike in variables and defaults', (_, where, refusal) => {
    expect(refusalOf('query ($where: taskFilter) { tasks(where: $where) { totalCount } }', { where })).toEqual(refusal)
    const literal = JSON.stringify(where).replace(/"(\w+)":/g, '$1:')
    const inDocument = refusalOf(`{ tasks(where: ${literal}) { totalCount } }`)
    const inDefault = refusalOf(`query ($where: taskFilter = ${literal}) { tasks(where: $where) { totalCount } }`)
    if (refusal === null) expect([inDocument, inDefault]).toEqual([null, null])
    // A literal of a wrong type is refused by validation instead.
    else expect([inDocument, inDefault]).toEqual([expect.any(String), expect.any(String)])
  })

  test('given part of a filter in a variable, the limits hold for the whole', () => {
    const query =
      'query ($some: [taskFilter], $ids: [String]) { tasks(where: { AND: $some, id_in: $ids }) { totalCount } }'
    expect(refusalOf(query, { some: conditions(49), ids: [] })).toBeNull()
    expect(refusalOf(query, { some: conditions(50), ids: [] })).toEqual(limit('50 conditions'))
    expect(refusalOf(query, { some: [], ids: Array(101).fill('0x01') })).toEqual(limit('100 values'))
  })

  test('given a key, its text is bounded', () => {
    expect(refusalOf(`{ task(id: "${'1'.repeat(200)}") { id } }`)).toBeNull()
    expect(refusalOf(`{ task(id: "${'1'.repeat(201)}") { id } }`)).toEqual(limit('200 characters'))
  })

  test.each(['constructor', '__proto__', 'tagHashes', 'nothing', ''])(
    'given the order %j, the list is refused',
    (orderBy) => {
      expect(refusalOf(`{ tasks(orderBy: "${orderBy}") { totalCount } }`)).toEqual(unusable('orderBy'))
    },
  )

  test('given an order that cannot be, the list is refused', () => {
    expect(refusalOf('{ tasks(orderBy: null) { totalCount } }')).toEqual(unusable('orderBy'))
    expect(refusalOf('{ taskEvents(orderBy: "args") { totalCount } }')).toEqual(unusable('orderBy'))
    expect(refusalOf('{ tasks(orderDirection: "up") { totalCount } }')).toEqual(unusable('orderDirection'))
    expect(refusalOf('{ tasks(orderBy: "reward", orderDirection: "desc") { totalCount } }')).toBeNull()
  })

  test('given cursors, only whole ones of the same order are accepted', () => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
    const query = 'query ($a: String, $b: String, $o: Int) { tasks(after: $a, before: $b, offset: $o) { totalCount } }'
    const own = cursor({ json: { id: '0x01' } })
    expect(refusalOf(query, { a: own })).toBeNull()
    expect(refusalOf(query, { a: own, o: 0 })).toBeNull()
    expect(refusalOf(query, { a: own, b: own })).toEqual(unusable('Only one'))
    expect(refusalOf(query, { a: own, o: 1 })).toEqual(unusable('offset'))
    expect(refusalOf(query, { b: 'x' })).toEqual(unusable('endCursor'))
    const ofReward = cursor({ json: { reward: '1', id: '0x01' }, meta: { values: { reward: ['bigint'] }, v: 1 } })
    expect(refusalOf(query, { a: ofReward })).toEqual(unusable('same orderBy'))
    expect(refusalOf(`{ tasks(orderBy: "reward", after: "${ofReward}") { totalCount } }`)).toBeNull()
  })
})

describe('variables', () => {
  test.each([
    ['no value of a required one', 'query ($id: String!) { task(id: $id) { id } }', {}],
    ['too large a number', 'query ($n: Int) { tasks(limit: $n) { totalCount } }', { n: 2 ** 31 }],
    ['a text for a number', 'query ($n: Int) { tasks(limit: $n) { totalCount } }', { n: '1' }],
    ['a list for a text', 'query ($id: String!) { task(id: $id) { id } }', { id: ['0x01'] }],
  ])('given %s, the request is refused', (_, query, variables) => {
    expect(refusalOf(query, variables)).toEqual(unusable('Variable'))
  })

  test('given variables that no operation declares, they are ignored', () => {
    const variables = JSON.parse('{"__proto__": {"n": 1000}, "constructor": 1, "n": 5}')
    expect(refusalOf('query ($n: Int) { tasks(limit: $n) { totalCount } }', variables)).toBeNull()
  })
})
