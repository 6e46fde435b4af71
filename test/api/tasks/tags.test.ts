import fc from 'fast-check'
import { keccak256, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { tagsSchema } from '../../../api/features/task-terms.schemas.ts'
import { insertContent } from '../../../api/intents/content.queries.ts'
import { hashStoredTags } from '../../../api/intents/tag-texts.queries.ts'
import { foldTag } from '../../../protocol/text/fold-tag.ts'
import { anActor } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { openSearchedTasks } from './searched-tasks.ts'

const searched = openSearchedTasks()
const create = (tags: string[]) => searched.create({ tags })
const list = (...tags: string[]) =>
  searched.list(new URLSearchParams(tags.map((tag): [string, string] => ['tags', tag])))

/** A tag as other people write it. */
const spellings = (tag: string) => [tag, tag.toLowerCase(), tag.toUpperCase(), tag.normalize('NFD'), foldTag(tag)]

const letters = fc.constantFrom(...'aBcÄßσςΣİéﬁＲ日7+#.-_,/ &%')
const aTag = fc
  .oneof(
    fc.string({ unit: letters, minLength: 1, maxLength: 8 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  )
  .filter(
    (tag) =>
      tagsSchema.safeParse([tag]).success &&
      /[\p{L}\p{N}]/u.test(tag) &&
      !tag.includes('ı') &&
      tag.split(',').length <= 10,
  )

test('what creation accepts, the filters of the list find again in any spelling, stored or in the table', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aTag, { minLength: 1, maxLength: 3 }), fc.boolean(), async (tags, isFilled) => {
      fc.pre(tagsSchema.safeParse(tags).success)
      const id = await create(tags)
      if (isFilled) await searched.fill()
      for (const tag of tags) {
        for (const spelling of spellings(tag)) expect(await list(spelling), spelling).toContain(id)
      }
      if (tags.every((tag) => !tag.includes(',')))
        expect(await list(...tags.map((tag) => tag.toUpperCase()))).toContain(id)
    }),
    { numRuns: byDepth(8, 25), seed: 35 },
  )
})

test('a list of tags finds tasks with all of them, and a tag with commas is found as it is', async () => {
  const both = await create(['Funny', 'rude'])
  const one = await create(['funny, RUDE'])
  const commas = await create(['x', ',,'])
  expect(await list('funny,rude')).toEqual([both])
  expect(await list('FUNNY, rude')).toEqual([one])
  expect(await list('RUDE', 'FUNNY')).toEqual([both])
  expect(await list(',,', 'X')).toEqual([commas])
  expect(await list('funny,')).toEqual([both])
  expect(await list('')).toEqual([commas, one, both])
  const eleven = 'k1,k2,k3,k4,k5,k6,k7,k8,k9,k10,k11'
  expect(await list(eleven)).toEqual([])
  const many = await create([eleven])
  expect(await list(eleven.toUpperCase())).toEqual([many])
})

test('a tag that folds to eighteen times its length is stored and found', async () => {
  const tag = '\ufdfa'.repeat(200)
  const id = await create([tag])
  expect(await list(tag)).toEqual([id])
  expect(await list(tag.slice(1))).toEqual([])
})

test('a drop is narrowed to a tag in any case', async () => {
  const { address } = anActor()
  const dropId = await searched.api.seed.drop(address)
  const task = await searched.api.seed.task({ requester: address }, { tags: ['Rust'] })
  await searched.api.seed.dropMember(dropId, task)
  const { body } = await searched.api.get(`/api/tasks?taskDropId=${dropId}&tags=RUST`)
  expect(body.tasks.map(({ id }: { id: string }) => id)).toEqual([task.id])
  expect((await searched.api.get(`/api/tasks?taskDropId=${dropId}&tags=rus`)).body.tasks).toEqual([])
})

test('a skill is found in any spelling, those stored before the table of tags included', async () => {
  const worker = anActor()
  await create(['Straße', 'STRASSE X'])
  await hashStoredTags(searched.api.sql)
  await searched.api.seed.agent(worker.address, { completedTasks: 1, skills: { Straße: 1 } })
  for (const skill of ['Straße', 'strasse', 'STRASSE']) {
    const { body } = await searched.api.get(`/api/agents/leaderboard?skill=${encodeURIComponent(skill)}`)
    expect(
      body.map((entry: { agentAddress: string; address: string }) => entry.address.toLowerCase()),
      skill,
    ).toEqual([worker.address])
  }
})

test('spellings of one skill are counted together and shown as the most awarded one', async () => {
  const worker = anActor()
  await searched.api.seed.tags('Rust', 'rust', 'RUST', 'go')
  await searched.api.seed.agent(worker.address, { completedTasks: 9, skills: { Rust: 3, rust: 1, RUST: 1, go: 4 } })
  const { body } = await searched.api.get(`/api/agents/stats?address=${worker.address}`)
  expect(body.skills).toEqual(['Rust', 'go'])
})

test.each([
  [['a', 'Straße', 'STRASSE'], 'tags.2'],
  [['same', 'same'], 'tags.1'],
])('a creation with the tags %j is refused before any payment', async (tags, path) => {
  const key = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
  const body = { description: 'Draw', reward: '1000000', duration: 24, tags, mode: 'bounty' }
  const answer = await searched.api.post('/api/tasks', body, key)
  expect([answer.status, answer.body.issues?.map((issue: { path: string }) => issue.path)]).toEqual([400, [path]])
  const accepted = await searched.api.post('/api/tasks', { ...body, tags: [tags[0]] }, key)
  expect(accepted.status).toBe(402)
})

test('every character folds in the database as it does in creation', async () => {
  const points = Array.from({ length: 0x20000 }, (_, point) => point)
    .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
    .map((point) => String.fromCodePoint(point))
  const rows = await searched.api.sql<{ tag: string; folded: string }[]>`
    select tag, service.folded_tag(tag) as folded from unnest(${points}::text[]) as tag where unicode_assigned(tag)`
  const different = rows
    .filter(({ tag, folded }) => folded !== foldTag(tag))
    .map(({ tag }) => tag.codePointAt(0)?.toString(16))
  expect(rows.length).toBeGreaterThan(90_000)
  expect(different).toEqual([])
})

describe('the texts of tags', () => {
  const requester = anActor().address
  beforeEach(() => searched.api.sql`delete from service.tag_texts`)

  const texts = async () => [
    ...(await searched.api.sql<
      { text: string; hash: string | null }[]
    >`select text, hash from service.tag_texts order by text`),
  ]
  const hashed = (...tags: string[]) => tags.map((text) => ({ text, hash: keccak256(toHex(text)) }))

  test('given the content of a public task, then its tags are kept with their hashes as it is stored', async () => {
    const { contentHash } = await searched.api.seed.task({ requester }, {})
    const [stored] = await searched.api.sql<{ intentId: string }[]>`
      select intent_id from service.task_content where content_hash = ${contentHash}`
    for (const taskVisibility of ['public', 'unlisted', 'private'] as const) {
      const tags = [taskVisibility, 'Shared', 'Shared']
      await searched.api.sql.begin((tx) =>
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
    await searched.api.seed.task({ requester }, { tags: ['hidden'], taskVisibility: 'unlisted' })
    await searched.api.seed.task({ requester }, { tags: many })
    expect((await texts()).filter(({ hash }) => hash !== null)).toEqual([])
    expect(await hashStoredTags(searched.api.sql)).toBe(2500)
    expect(await texts()).toEqual(hashed(...many).toSorted((a, b) => (a.text < b.text ? -1 : 1)))
    expect(await hashStoredTags(searched.api.sql)).toBe(0)
  })
})
