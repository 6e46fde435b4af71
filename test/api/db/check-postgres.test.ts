import { expect, test } from 'vitest'
import { findVersionFault } from '../../../api/db/check-postgres.ts'

test.each([
  [160_004, '16.4'],
  [169_999, '16.9999'],
  [90_603, '9.603'],
])('given server version %i, then it is refused with a message', (number, version) => {
  expect(findVersionFault(number)).toMatch(
    `DATABASE_URL leads to PostgreSQL ${version}, and the service needs 17 or newer`,
  )
})

test.each([170_000, 200_000])('given server version %i, then it is new enough', (number) => {
  expect(findVersionFault(number)).toBeNull()
})
