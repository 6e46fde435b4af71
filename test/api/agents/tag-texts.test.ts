import { keccak256, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertContent } from '../../../api/intents/content.queries.ts'
import { hashStoredTags } from '../../../api/intents/tag-texts.queries.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'

const requester = anActor().address

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
beforeEach(() => api.sql`delete from service.tag_texts`)
afterAll(() => api.stop())

const texts = async () => [
  ...(await api.sql<{ text: string; hash: string | null }[]>`select text, hash from service.tag_texts order by text`),
]
const hashed = (...tags: string[]) => tags.map((text) => ({ text, hash: keccak256(toHex(text)) }))

test('given the content of a public task, then its tags are kept with their hashes as it is stored', async () => {
  const { contentHash } = await api.seed.task({ requester }, {})
  const [stored] = await api.sql<{ intentId: string }[]>`
    select intent_id from service.task_content where content_hash = ${contentHash}`
  for (const taskVisibility of ['public', 'unlisted', 'private'] as const) {
    const tags = [taskVisibility, 'Shared', 'Shared']
    await api.sql.begin((tx) =>
      insertContent(tx, stored?.intentId ?? '', {
        task: {
          requester,
          contentHash: aHash(),
          document: '{}',
          description: 'text',
          tags,
          taskVisibility,
          submissionVisibility: 'public',
          metricDescription: null,
          metricTarget: null,
        },
      }),
    )
  }
  expect(await texts()).toEqual(hashed('Shared', 'public'))
})

test('given texts that another version stored, then those of public tasks get their hashes at the next start', async () => {
  const many = Array.from({ length: 2500 }, (_, index) => `tag ${index}`)
  await api.seed.task({ requester }, { tags: ['hidden'], taskVisibility: 'unlisted' })
  await api.seed.task({ requester }, { tags: many })
  expect((await texts()).filter(({ hash }) => hash !== null)).toEqual([])
  expect(await hashStoredTags(api.sql)).toBe(2500)
  expect(await texts()).toEqual(hashed(...many).toSorted((a, b) => (a.text < b.text ? -1 : 1)))
  expect(await hashStoredTags(api.sql)).toBe(0)
})
