import { describe, expect, test } from 'vitest'
import { listLeaves } from '../../../protocol/rules/settlement-leaves.ts'

const [alice, bob, carol] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'ca'.repeat(20)}`] as const

describe('listLeaves', () => {
  test('given awards that earned nothing, then they leave gaps', () => {
    expect(listLeaves([alice, bob, carol], [5n, 0n, 7n])).toEqual([
      { index: 0, worker: alice, amount: 5n },
      { index: 2, worker: carol, amount: 7n },
    ])
  })

  test('given a worker with two awards, then each is a leaf', () => {
    expect(listLeaves([alice, alice], [1n, 2n])).toHaveLength(2)
  })

  test('given lists of different lengths, then only what both have counts', () => {
    expect(listLeaves([alice], [1n, 2n])).toHaveLength(1)
    expect(listLeaves([alice, bob], [1n])).toHaveLength(1)
  })
})
