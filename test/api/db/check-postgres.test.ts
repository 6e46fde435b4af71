import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPostgres, findVersionFault } from '../../../api/db/check-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('given a supported version, then it passes', async () => {
  await checkPostgres(database.url)
})

test.each([
  [160_004, '16.4'],
  [169_999, '16.9999'],
  [90_603, '9.603'],
])('given server version %i, then it is refused with a message', (number, version) => {
  expect(findVersionFault(number)).toMatch(
    `DATABASE_URL leads to PostgreSQL ${version}, and the service needs 17 or newer`,
  )
})

test.each([170_000, 170_002, 180_004, 200_000])('given server version %i, then it is new enough', (number) => {
  expect(findVersionFault(number)).toBeNull()
})
