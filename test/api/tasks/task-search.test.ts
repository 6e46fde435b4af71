import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { statement } from '../../../api/db/statement-text.ts'
import { listPageHeads } from '../../../api/features/tasks/list/list-tasks.queries.ts'
import { fillTaskSearch } from '../../../api/read-model/fill-task-search.ts'
import { findTaskSearch } from '../../../api/read-model/task-search.queries.ts'
import { byDepth } from '../../support/depth.ts'
import { anIntent } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aCreation, anEmptyChain, anUpdate, aReorg, type PlayedChain, someBlocks } from './played-chain.ts'

vi.setConfig({ testTimeout: 180_000 })

const api = aStartedApi()

const words = ['bakery', 'harbour', 'lantern']
const tags = ['ink', 'paper', 'maps']
const someTexts = fc.record({
  description: fc.subarray(words).map((chosen) => `Draw ${chosen.join(' ')}`.trim()),
  tags: fc.subarray(tags),
})

const queries = [
  ...words.map((word) => ({ search: `q=${word}`, word, tag: null })),
  ...tags.map((tag) => ({ search: `tags=${tag}`, word: null, tag })),
  { search: 'q=bakery&tags=ink', word: 'bakery', tag: 'ink' },
  { search: 'q=lantern&status=open', word: 'lantern', tag: null },
]

const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('read' as const), query: fc.constantFrom(...queries) }) },
  {
    weight: 16,
    arbitrary: fc.tuple(aCreation, someTexts).map(([creation, texts]) => ({ ...creation, texts })),
  },
  { weight: 6, arbitrary: anUpdate },
  { weight: 8, arbitrary: someBlocks },
  { weight: 5, arbitrary: aReorg },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('fill' as const), batch: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('late texts' as const), task: fc.nat(30), texts: someTexts }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'correction' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deployment' as const), name: fc.constantFrom('a', 'b') }) },
)

test('whatever is created, updated, undone and stored late, and however far it is filled, a list is what the rows say', async () => {
  const found = { covered: 0, both: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 100 }), async (steps) => {
      await emptySearch()
      const chain = await anEmptyChain(api)
      let deployment = 'a'
      for (const each of [...steps, { kind: 'fill' as const, batch: 100 }]) {
        if (each.kind === 'read') await expectListOfRows(each.query)
        else if (each.kind === 'fill') await fillTaskSearch(api.deps, each.batch)
        else if (each.kind === 'late texts') await storeLateTexts(chain, each)
        else if (each.kind === 'correction')
          await api.sql`update service.task_content set tags = '{ink}' where tags = '{maps}'`
        else if (each.kind === 'deployment') deployment = each.name
        else await chain.play(each)
        await api.sql`update indexed_head set schema_version = ${deployment}`
        if (each.kind === 'read') await countSides(found)
      }
      for (const query of queries) await expectListOfRows(query)
    }),
    { numRuns: byDepth(2, 16), seed: 8195 },
  )
  expect(found.both).toBeGreaterThan(byDepth(2, 40))
  expect(found.covered).toBeGreaterThan(0)
})

test('an update that was not final when its task was stored may be undone', async () => {
  const chain = await aFinalChain(2)
  await chain.play({ kind: 'update', task: 0, reward: 6000, content: 'unknown' })
  await chain.play({ kind: 'update', task: 1, reward: 6000, content: 'known' })
  await fillTaskSearch(api.deps)
  await chain.play({ kind: 'reorg', depth: 2 })
  const all = chain.tasks.map(({ id }) => id).toReversed()
  expect(await list('q=bakery')).toEqual(all)
  await chain.play({ kind: 'blocks', count: 100 })
  await fillTaskSearch(api.deps)
  expect(await list('q=bakery')).toEqual(all)
  expect(await api.sql`select from service.task_search`).toHaveLength(2)
})

test('frequent words are found along the newest, on every page, in every order and status', async () => {
  const chain = await aFinalChain(45)
  await fillTaskSearch(api.deps)
  await api.sql`update task set status = 'disputed' where id = any(${chain.tasks.slice(0, 15).map(({ id }) => id)})`
  await chain.play(aTaskWith('bakery'))
  const all = chain.tasks.map(({ id }) => id).toReversed()
  const matches = statement`and c.search @@ to_tsquery('english', 'bakery')`
  expect(await findTaskSearch(api.sql, { matches, page: 21 })).toMatchObject({ isFrequent: true })
  expect(await findTaskSearch(api.sql, { matches, page: 51 })).toMatchObject({ isFrequent: false })
  for (const limit of [10, 20, 50, 100]) {
    expect(await list(`q=bakery&limit=${limit}`)).toEqual(all.slice(0, limit))
    expect(await list(`q=bakery&status=open&limit=${limit}`)).toEqual(all.slice(0, 31).slice(0, limit))
    expect(await list(`q=bakery&status=disputed&limit=${limit}`)).toEqual(all.slice(31).slice(0, limit))
  }
  expect(await list('q=bakery&sort=relevance&limit=100')).toEqual(all)
  for (const sort of ['relevance', 'deadline_asc']) {
    const whole = await list(`q=bakery&sort=${sort}&limit=100`)
    expect(await secondPage(`q=bakery&sort=${sort}`)).toEqual(whole.slice(3, 6))
  }
})

test('a reference code with a tag names one task', async () => {
  const chain = await aFinalChain(3, { tags: ['ink'] })
  await fillTaskSearch(api.deps)
  const [task] = await api.sql<{ id: string; referenceCode: string }[]>`select id, reference_code from task limit 1`
  expect(await list(`q=${task?.referenceCode}&tags=ink`)).toEqual([task?.id])
  expect(await list(`q=${task?.referenceCode}&tags=paper`)).toEqual([])
  expect(await list('tags=ink')).toHaveLength(chain.tasks.length)
})

test('more texts without a task than are looked at leave lists complete', async () => {
  const chain = await aFinalChain(1)
  await fillTaskSearch(api.deps)
  await chain.play(aTaskWith('bakery'))
  await api.sql`
    insert into service.task_search_pending select 'a requester', number from generate_series(1, 5000) as number`
  expect(await findTaskSearch(api.sql, { matches: statement``, page: 21 })).toBeNull()
  expect(await list('q=bakery')).toHaveLength(2)
})

test('a task is found by the table, and not by what the table says of it alone', async () => {
  const chain = await aFinalChain(1)
  await fillTaskSearch(api.deps)
  await api.sql`update service.task_search set search = to_tsvector('english', 'lantern')`
  expect(await list('q=lantern')).toEqual([chain.tasks[0]?.id])
  expect(await list('q=bakery')).toEqual([])
  await api.sql`update service.task_search set content_hash = 'another'`
  expect(await list('q=lantern')).toEqual([])
})

test('a list that began while the table covered them, and reads it when it was emptied, is what the rows say', async () => {
  const chain = await aFinalChain(1)
  await fillTaskSearch(api.deps)
  expect(await listInTwo('bakery', emptySearch)).toEqual([chain.tasks[0]?.id])
  expect(await api.sql`select from service.task_search`).toHaveLength(0)
})

test('a list that began before texts were corrected, and reads what was stored of them since, is what the rows say', async () => {
  const chain = await aFinalChain(2)
  await chain.play({ kind: 'update', task: 1, reward: 6000, content: 'unknown' })
  await storeLateTexts(chain, { task: 1, texts: { description: 'Draw lantern', tags: [] } })
  await chain.play({ kind: 'blocks', count: 3 })
  await fillTaskSearch(api.deps)
  const correct = async () => {
    await api.sql`update service.task_content set description = 'Draw bakery' where description = 'Draw lantern'`
    await fillTaskSearch(api.deps)
  }
  expect(await listInTwo('bakery', correct)).toEqual([chain.tasks[1]?.id, chain.tasks[0]?.id])
})

test('a list that began before updates were undone, which is no commit that Ponder notes, is what the rows say', async () => {
  const chain = await aFinalChain(2)
  await fillTaskSearch(api.deps)
  const id = chain.tasks[1]?.id ?? expect.fail('two tasks')
  for (const content of ['known', 'unknown'] as const) {
    await chain.play({ kind: 'update', task: 1, reward: 6000, content })
  }
  const [task] = await api.sql<
    { hash: string }[]
  >`select content_hash as hash from task where id = ${chain.tasks[0]?.id ?? ''}`
  // One task that is updated again and again leaves the others their place.
  const other = chain.tasks[0]?.id ?? ''
  await chain.play({ kind: 'update', task: 0, reward: 6000, content: 'same' })
  await api.sql`
    insert into task_event
    select made.* from task_event e, generate_series(2, 600) as i,
      lateral jsonb_populate_record(null::task_event, to_jsonb(e) || jsonb_build_object('id', ${other} || ':' || i)) as made
    where e.id = ${`${other}:1`}`
  const undo = async () => {
    await api.sql`delete from task_event where id = ${`${id}:2`}`
    await api.sql`update task set content_hash = ${task?.hash ?? ''} where id = ${id}`
  }
  expect(await listInTwo('bakery', undo)).toEqual([id, chain.tasks[0]?.id])
})

test('an index that is behind what was stored from it is read alone', async () => {
  const chain = await aFinalChain(2)
  await chain.play({ kind: 'blocks', count: 10 })
  await chain.play({ kind: 'update', task: 0, reward: 6000, content: 'known' })
  await chain.play({ kind: 'blocks', count: 200 })
  await fillTaskSearch(api.deps)
  // As a rebuild under the same name that has not come to the update yet.
  await chain.play({ kind: 'reorg', depth: 203 })
  await api.sql`update indexed_head set block_number = block_number - 203`
  expect(await list('q=bakery')).toEqual(chain.tasks.map(({ id }) => id).toReversed())
})

test('texts are not corrected by a transaction that may not see what is filled', async () => {
  await aFinalChain(1)
  const correction = api.sql.begin('isolation level repeatable read', async (tx) => {
    await tx`select from service.task_content limit 1`
    await fillTaskSearch(api.deps)
    await tx`update service.task_content set task_visibility = 'private'`
  })
  await expect(correction).rejects.toThrow('read committed')
  await api.sql`update service.task_content set task_visibility = 'private'`
  expect(await list('q=bakery')).toEqual([])
})

test('frequent words of a status or mode that is not among the newest are found whole', async () => {
  const chain = await aFinalChain(40)
  await fillTaskSearch(api.deps)
  const rare = chain.tasks.slice(0, 3).map(({ id }) => id)
  await api.sql`update task set status = 'cancelled', mode = 'claim' where id = any(${rare})`
  for (const asked of ['status=cancelled', 'mode=claim', 'status=cancelled&mode=claim', 'phase=resolved']) {
    expect(await list(`q=bakery&limit=20&${asked}`)).toEqual(rare.toReversed())
  }
})

test('tasks are stored in the order of creation, a batch in each transaction', async () => {
  const chain = await aFinalChain(7)
  const stored: number[] = []
  let pause = 0
  while (pause === 0) {
    pause = await fillTaskSearch(api.deps, 3)
    stored.push((await api.sql`select from service.task_search`).length)
  }
  expect(stored).toEqual([3, 6, 7])
  const rows = await api.sql<{ taskId: string }[]>`select task_id from service.task_search order by ctid`
  expect(rows.map(({ taskId }) => taskId)).toEqual(chain.tasks.map(({ id }) => id))
})

test('updates are stored again a batch in each transaction, and lists are complete in between', async () => {
  const chain = await aFinalChain(3)
  await fillTaskSearch(api.deps)
  for (const task of [0, 1, 2, 0, 1, 2, 0]) {
    await chain.play({ kind: 'update', task, reward: 6000, content: 'known' })
  }
  await chain.play({ kind: 'blocks', count: 100 })
  const pauses: number[] = []
  while (pauses.at(-1) !== 5000) {
    pauses.push(await fillTaskSearch(api.deps, 3))
    expect(await list('q=bakery')).toEqual(chain.tasks.map(({ id }) => id).toReversed())
  }
  expect(pauses).toEqual([0, 0, 5000])
})

test('what was created and stored during a pause is filled batch after batch', async () => {
  const chain = await aFinalChain(2)
  await fillTaskSearch(api.deps)
  for (let task = 0; task < 7; task += 1) await chain.play(aTaskWith('bakery'))
  await chain.play({ kind: 'blocks', count: 100 })
  const fillAll = async (): Promise<number[]> => {
    const pauses = [await fillTaskSearch(api.deps, 3)]
    while (pauses.at(-1) === 0) pauses.push(await fillTaskSearch(api.deps, 3))
    return pauses
  }
  expect(await fillAll()).toEqual([0, 0, 5000])
  expect(await api.sql`select from service.task_search`).toHaveLength(9)
  await api.sql`
    insert into service.task_search_pending select 'a requester', number from generate_series(1, 7) as number`
  await chain.play({ kind: 'blocks', count: 100 })
  expect(await fillAll()).toEqual([0, 0, 5000])
  expect(await api.sql`select from service.task_search_pending`).toHaveLength(0)
})

test('processes that fill it at once take turns', async () => {
  await aFinalChain(4)
  await Promise.all([1, 2, 3, 4].map(() => fillTaskSearch(api.deps, 2)))
  expect(await api.sql`select from service.task_search`).toHaveLength(4)
  expect(await list('q=bakery')).toHaveLength(4)
})

/** The tasks that have a word, where something happens between the two statements of the list. */
async function listInTwo(search: string, happen: () => Promise<void>): Promise<string[]> {
  const { sql } = api.deps
  const byKey = new Proxy(sql.byKey, {
    get: (pool, name) => {
      if (name !== 'unsafe') return Reflect.get(pool, name)
      return async (...statement: Parameters<typeof pool.unsafe>) => {
        const rows = await pool.unsafe(...statement)
        await happen()
        return rows
      }
    },
  })
  const interrupted = new Proxy(sql, { get: (pool, name) => (name === 'byKey' ? byKey : Reflect.get(pool, name)) })
  const { heads } = await listPageHeads(interrupted, { q: search }, { order: 'newest', limit: 10, now: 0n })
  return heads.map(({ id }) => id)
}

const aTaskWith = (word: string, texts: { tags?: string[] } = {}) =>
  ({ kind: 'create', visibility: 'public', reward: 5000, texts: { description: `Draw ${word}`, ...texts } }) as const

/** A chain of so many tasks about a bakery, in final blocks; nothing of them is stored in the table. */
async function aFinalChain(count: number, texts?: { tags: string[] }): Promise<PlayedChain> {
  await emptySearch()
  const chain = await anEmptyChain(api)
  for (let task = 0; task < count; task += 1) await chain.play(aTaskWith('bakery', texts))
  await chain.play({ kind: 'blocks', count: 100 })
  return chain
}

async function emptySearch(): Promise<void> {
  await api.sql`truncate service.task_search, service.task_search_state, service.task_search_pending,
    service.task_search_tentative`
}

/** Texts for a task that is on chain without any. */
async function storeLateTexts(
  chain: PlayedChain,
  { task: number, texts }: { task: number; texts: { description: string; tags: string[] } },
): Promise<void> {
  const task = chain.tasks[number % Math.max(chain.tasks.length, 1)]
  if (task === undefined) return
  await api.sql`
    insert into service.task_content (requester, content_hash, intent_id, document, description, tags, task_visibility,
      submission_visibility)
    select requester, content_hash, ${await anIntent(api.sql, 'tasks.create')}, '{}', ${texts.description},
      ${texts.tags}::text[], 'public', 'public'
    from task where id = ${task.id}
    on conflict do nothing`
}

/** Whether tasks are found by the table now, and whether by what it lacks. */
async function countSides(found: { covered: number; both: number }): Promise<void> {
  const coverage = await findTaskSearch(api.sql, { matches: statement``, page: 21 })
  if (coverage === null || (await api.sql`select from service.task_search limit 1`).length === 0) return
  if (coverage.uncovered.length > 0) found.both += 1
  else found.covered += 1
}

/** That a query finds what a look at all rows finds. */
async function expectListOfRows({ search, word, tag }: (typeof queries)[number]): Promise<void> {
  const rows = await api.sql<{ id: string }[]>`
    select t.id from task t
    join service.task_content c
      on c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public'
    where t.listed and (${word}::text is null or c.search @@ to_tsquery('english', ${word}))
      and (${tag}::text is null or c.tags @> array[${tag}])
    order by t.created_at_ms desc`
  const expected = rows.map(({ id }) => id)
  expect(await list(`${search}&limit=100`), search).toEqual(expected)
  expect(await list(`${search}&limit=2`), search).toEqual(expected.slice(0, 2))
  const dearest = await list(`${search}&limit=100&sort=reward_desc`)
  expect(dearest.toSorted(), search).toEqual(expected.toSorted())
  if (dearest.length > 3) expect(await secondPage(`${search}&sort=reward_desc`), search).toEqual(dearest.slice(3, 6))
}

/** The second page of three tasks. */
async function secondPage(search: string): Promise<string[]> {
  const { body } = await api.get(`/api/tasks?${search}&limit=3`)
  return body.nextCursor === null ? [] : await list(`${search}&limit=3&cursor=${body.nextCursor}`)
}

async function list(search: string): Promise<string[]> {
  const { status, body } = await api.get(`/api/tasks?${search}`)
  expect(status, search).toBe(200)
  return body.tasks.map(({ id }: { id: string }) => id)
}
