import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { findPrimaryWorker, toVerdict, verdicts } from '../../../src/rules/verdict.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`

describe('the contract verdict enum', () => {
  test.each([
    [1, 'approve'],
    [2, 'reject'],
    [3, 'partial'],
  ] as const)('value %i is %s', (value, verdict) => {
    expect(toVerdict(value)).toBe(verdict)
  })

  test.each([0, verdicts.length + 1])('value %i is refused, for no log can have it', (value) => {
    expect(() => toVerdict(value)).toThrow(`verdict ${value}`)
  })
})

describe('the worker of a contest after a decision', () => {
  test('is the award of rank 1, wherever it stands', () => {
    const awards = [
      { worker: bob, rank: 2 },
      { worker: alice, rank: 1 },
    ]
    expect(findPrimaryWorker(awards)).toBe(alice)
  })

  test('is nobody after a rejection', () => {
    expect(findPrimaryWorker([])).toBeNull()
  })

  test('is nobody when no award has rank 1: ranks are the evaluator’s choice', () => {
    expect(findPrimaryWorker([{ worker: alice, rank: 7 }])).toBeNull()
  })
})
