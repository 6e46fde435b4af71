import { expect, test } from 'vitest'
import { freeSubmissionsOf, modeOfSubmission, refuseBeyondCeiling } from '../../../api/domain/submission-allowance.ts'

const allowance = { free: 5, freeOfAll: 25, ceiling: 100 }

test.each([
  [0, 0, 'signed'],
  [4, 24, 'signed'],
  [5, 5, 'paid'],
  [99, 0, 'paid'],
  [0, 25, 'paid'],
] as const)(
  'given %i submissions of a worker and %i free ones, then the next one is %s',
  (ordinary, freeOfTask, mode) => {
    expect(modeOfSubmission({ ordinary, freeOfTask }, allowance)).toBe(mode)
    expect(refuseBeyondCeiling(ordinary, allowance)).toBeNull()
  },
)

test.each([100, 101])('given %i submissions, then there is no further one', (used) => {
  expect(refuseBeyondCeiling(used, allowance)).toEqual({
    status: 429,
    failure: 'submission_ceiling',
    message: expect.stringContaining('all 100 submissions'),
  })
})

test.each([
  [1_000n, 5],
  [200_000n, 5],
  [240_000n, 6],
  [1_000_000n, 25],
  [10n ** 12n, 1_000],
])('given a reward of %i base units, then %i submissions are free', (reward, free) => {
  expect(freeSubmissionsOf(reward)).toBe(free)
})
