import { describe, expect, test } from 'vitest'
import {
  type ClaimStatus,
  claimStatuses,
  hasActiveClaim,
  moveClaimStatus,
  parseClaimStatus,
} from '../../../protocol/rules/claim-status.ts'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'

const allowed: [ClaimStatus, ClaimStatus][] = [
  ['active', 'submitted'],
  ['active', 'forfeited'],
  ['submitted', 'returned'],
]

describe('the transitions of a claim', () => {
  test.each(claimStatuses.flatMap((from) => claimStatuses.map((to) => [from, to] as const)))(
    'given a claim that is %s, when it becomes %s, then only the documented transitions are admitted',
    (from, to) => {
      if (allowed.some(([before, after]) => before === from && after === to)) {
        expect(moveClaimStatus(from, to)).toBe(to)
      } else {
        expect(() => moveClaimStatus(from, to)).toThrow(`a claim moved from ${from} to ${to}`)
      }
    },
  )
})

test('given a task, then it has an undelivered claim exactly while it is claimed in claim mode', () => {
  const holding = taskModes.flatMap((mode) =>
    taskStatuses.filter((status) => hasActiveClaim({ mode, status })).map((status) => [mode, status]),
  )
  expect(holding).toEqual([['claim', 'claimed']])
})

test('given a stored status, then it is read back, and any other text is refused', () => {
  for (const status of claimStatuses) expect(parseClaimStatus(status)).toBe(status)
  expect(() => parseClaimStatus('lost')).toThrow('lost')
})
