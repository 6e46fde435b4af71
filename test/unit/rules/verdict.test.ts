import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { findPrimaryWorker, toVerdict, verdicts } from '../../../protocol/rules/verdict.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`

describe('the contract verdict enum', () => {
  test.each([
    [1, 'approve'],
    [2, 'reject'],
    [3, 'partial'],
  ] as const)('given the value %i, then it is %s', (value, verdict) => {
    expect(toVerdict(value)).toBe(verdict)
  })

  test.each([0, verdicts.length + 1])('given the value %i, then it is refused: no log has it', (value) => {
    expect(() => toVerdict(value)).toThrow(`verdict ${value}`)
  })
})

describe('the worker of a contest after a decision', () => {
  test('given awards, then it is that of rank 1, in any order', () => {
    const awards = [
      { worker: bob, rank: 2 },
      { worker: alice, rank: 1 },
    ]
    expect(findPrimaryWorker(awards)).toBe(alice)
  })

  test('given a rejection, then there is none', () => {
    expect(findPrimaryWorker([])).toBeNull()
  })

  test('given no award of rank 1, then there is none: the evaluator chooses the ranks', () => {
    expect(findPrimaryWorker([{ worker: alice, rank: 7 }])).toBeNull()
  })
})
