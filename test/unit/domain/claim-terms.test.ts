import { expect, test } from 'vitest'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { aClaim, bob } from '../../support/task-snapshots.ts'

const task = aClaim('open')

test.each<[string, Partial<TaskSnapshot>]>([
  ['the reward', { reward: task.reward - 1n }],
  ['the expiry', { expiryTime: task.expiryTime - 1n }],
  ['the stake', { stakeBps: 1001 }],
  ['the tags', { tagHashes: [`0x${'11'.repeat(32)}`] }],
  ['the evaluator', { evaluator: bob }],
  ['its fee', { evaluatorFeeBps: 1 }],
  ['its window', { evaluationWindow: 1n }],
  ['the time to appeal', { appealWindow: 1n }],
  ['the resolver', { disputeResolver: bob }],
  ['the hooks', { hookSet: `0x${'22'.repeat(32)}` }],
  ['the mode', { mode: 'bounty' }],
])('given another value of %s, then the terms of a claim are changed', (_name, facts) => {
  expect(termsHashOf({ ...task, ...facts })).not.toBe(termsHashOf(task))
})

test('given a mode that this version does not support, then there are no terms', () => {
  expect(termsHashOf({ ...task, mode: 'unknown' })).toBeNull()
  expect(termsHashOf({ ...task, mode: 'auction', auctionType: 'unknown' })).toBeNull()
})
