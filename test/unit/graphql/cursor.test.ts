import { describe, expect, test } from 'vitest'
import { parseCursor } from '../../../api/graphql/cursor.ts'

const columns = new Map([
  ['id', 'String'],
  ['reward', 'BigInt'],
  ['fee', 'BigInt'],
  ['bidCount', 'Int'],
  ['listed', 'Boolean'],
])
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const bigintMeta = { values: { reward: ['bigint'] }, v: 1 }

describe('cursors', () => {
  test.each([
    ['a text', ['id'], { json: { id: '0x01' } }],
    ['a number', ['bidCount', 'id'], { json: { bidCount: 3, id: '0x01' } }],
    ['a flag', ['listed', 'id'], { json: { listed: true, id: '0x01' } }],
    ['a bigint', ['reward', 'id'], { json: { reward: '-5', id: '0x01' }, meta: bigintMeta }],
    [
      'one bigint in two columns',
      ['reward', 'fee'],
      {
        json: { reward: '5', fee: '5' },
        meta: { values: { reward: ['bigint'], fee: ['bigint'] }, referentialEqualities: { reward: ['fee'] }, v: 1 },
      },
    ],
    ['null', ['reward', 'id'], { json: { reward: null, id: '0x01' } }],
    ['a column twice', ['id', 'id'], { json: { id: '0x01' } }],
  ])('given one with %s, it is accepted', (_, sortedBy, value) => {
    expect(parseCursor(encode(value), { columns, sortedBy })).toEqual(value.json)
  })

  test.each([
    ['no column of the order', ['reward', 'id'], { json: { id: '0x01' } }],
    ['another column', ['id'], { json: { id: '0x01', bidCount: 1 } }],
    ['an object', ['id'], { json: { id: {} } }],
    ['a list', ['id'], { json: { id: ['0x01'] } }],
    ['a number for a text', ['id'], { json: { id: 1 } }],
    ['a text for a number', ['bidCount'], { json: { bidCount: '1' } }],
    ['a bigint that is no number', ['reward'], { json: { reward: 'x' }, meta: bigintMeta }],
    ['a bigint without its type', ['reward'], { json: { reward: '5' } }],
    ['a bigint for a text', ['id'], { json: { id: '5' }, meta: { values: { id: ['bigint'] } } }],
    ['a null that is a bigint', ['reward'], { json: { reward: null }, meta: bigintMeta }],
    ['a regular expression', ['id'], { json: { id: '/(a+)+$/' }, meta: { values: { id: ['regexp'] } } }],
    ['a path of superjson', ['id'], { json: { id: '5' }, meta: { values: { 'id.__proto__': ['bigint'] } } }],
    ['shared values', ['id'], { json: { id: '5' }, meta: { values: {}, referentialEqualities: { id: ['x'] } } }],
    ['nothing', ['id'], null],
    ['a list for all', ['id'], []],
    ['columns of every object', ['constructor'], { json: {} }],
  ])('given one with %s, it is refused', (_, sortedBy, value) => {
    expect(parseCursor(encode(value), { columns, sortedBy })).toBeNull()
  })

  test('given other texts, they are refused', () => {
    const own = { columns, sortedBy: ['id'] }
    expect(parseCursor('', own)).toBeNull()
    expect(parseCursor('%%%', own)).toBeNull()
    expect(parseCursor(Buffer.from('{"json":{"id":').toString('base64'), own)).toBeNull()
    expect(parseCursor(encode({ json: { id: 'x'.repeat(2000) } }), own)).toBeNull()
    expect(parseCursor(encode(JSON.parse('{"json": {"id": "1", "__proto__": {"a": 1}}}')), own)).toBeNull()
  })
})
