import { expect, test } from 'vitest'
import { legOfSubmission, refuseBeyondCeiling } from '../../../api/domain/submission-allowance.ts'

const allowance = { free: 5, ceiling: 100 }

test.each([
  [0, 'signed'],
  [4, 'signed'],
  [5, 'paid'],
  [99, 'paid'],
] as const)('after %i submissions the next one is %s', (used, leg) => {
  expect(legOfSubmission(used, allowance)).toBe(leg)
  expect(refuseBeyondCeiling(used, allowance)).toBeNull()
})

test.each([100, 101])('after %i submissions there is no next one', (used) => {
  expect(refuseBeyondCeiling(used, allowance)).toMatchObject({ status: 429, failure: 'submission_ceiling' })
})
