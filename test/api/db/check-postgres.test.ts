import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPostgres, findVersionFault } from '../../../api/db/check-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a server of a version that the service runs on passes', async () => {
  await checkPostgres(database.url)
})

test.each([
  [160_004, '16.4'],
  [169_999, '16.9999'],
  [90_603, '9.603'],
])('server version %i is refused in a sentence', (number, version) => {
  expect(findVersionFault(number)).toMatch(
    `DATABASE_URL leads to PostgreSQL ${version}, and the service needs 17 or newer`,
  )
})

test.each([170_000, 170_002, 180_004, 200_000])('server version %i is new enough', (number) => {
  expect(findVersionFault(number)).toBeNull()
})
