import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasReached, parsePosition, type ReadPosition } from '../../../api/read-model/replicas/read-position.ts'

const commit = { block: 7n, table: '100', transaction: 5, schema: 'idx_a' }
const known: ReadPosition = { changes: 3n, isStandby: false, indexed: commit }

describe('a position as text', () => {
  test.each([
    ['0 f', { changes: 0n, isStandby: false, indexed: null }],
    ['3 t 7 100:5 idx_a', { ...known, isStandby: true }],
  ])('%s', (text, position) => {
    expect(parsePosition(text)).toEqual(position)
  })
})

describe('rows have what is known', () => {
  test.each([
    ['the same position', known, true],
    ['a later transaction', { ...known, indexed: { ...commit, transaction: 6 } }, true],
    [
      'a later one with a lower block, after a reorg',
      { ...known, indexed: { ...commit, block: 6n, transaction: 6 } },
      true,
    ],
    [
      'an earlier one with a higher block, before a reorg',
      { ...known, indexed: { ...commit, block: 8n, transaction: 4 } },
      false,
    ],
    ['an earlier change of texts', { ...known, changes: 2n, indexed: { ...commit, transaction: 6 } }, false],
    ['the schema of another deployment', { ...known, indexed: { ...commit, schema: 'idx_b' } }, false],
    ['another table', { ...known, indexed: { ...commit, table: '101' } }, false],
    ['no commit', { ...known, indexed: null }, false],
  ])('%s', (_, position, isReached) => {
    expect(hasReached(position, known)).toBe(isReached)
  })

  test('where nothing is indexed, anything is', () => {
    expect(hasReached(known, { ...known, indexed: null })).toBe(true)
  })

  test('numbers of transactions are in order across their end', () => {
    const numbers = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (transaction, steps) => {
        const before = { ...known, indexed: { ...commit, transaction } }
        const after = { ...known, indexed: { ...commit, transaction: (transaction + steps) % 2 ** 32 } }
        expect(hasReached(after, before)).toBe(true)
        expect(hasReached(before, after)).toBe(false)
      }),
    )
  })
})
