import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

it('given a published policy or bundle, then it does not change under its hash', async () => {
  const { sql } = api.deps
  await expect(sql`update legal_documents set body = 'something else'`).rejects.toThrow(/body_of_its_hash/)
  await expect(sql`update legal_bundles set canonical_text = 'something else'`).rejects.toThrow(/text_of_its_digest/)
  const [counts] = await sql`select count(*)::int as documents from legal_documents`
  expect(counts?.documents).toBe(4)
})
