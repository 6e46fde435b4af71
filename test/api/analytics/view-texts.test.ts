import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { hookFunctions } from '../../../api/chain/revert-sentences.ts'
import { analyticsViews } from '../../../api/db/analytics/views.ts'
import { taskTitleOf } from '../../../api/domain/task-title.ts'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { listOperationSelectors } from '../../support/operation-selectors.ts'
import { aHash, aPosition, insertRow, START } from '../../support/rows/insert-row.ts'

const [requester, alice] = [anActor().address, anActor().address]
const folder = new URL('../../../api/db/analytics/', import.meta.url)

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

/** Every column of every view, with its type. */
async function listColumns() {
  return await api.sql<{ view: string; name: string; type: string; text: string | null }[]>`
    select relname as view, attname as name, format_type(atttypid, atttypmod) as type, col_description(attrelid, attnum) as text
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'analytics'::regnamespace and relkind = 'v' and attnum > 0
    order by relname, attnum`
}

describe('the views of the schema analytics', () => {
  test('then each has its query and its texts, which name its columns and no others', async () => {
    const files = (await readdir(folder)).filter((file) => /\.(sql|json)$/.test(file)).toSorted()
    expect(files).toEqual(analyticsViews.flatMap(({ name }) => [`${name}.json`, `${name}.sql`]).toSorted())
    const columns = await listColumns()
    for (const { name } of analyticsViews) {
      const texts = JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8'))
      expect(texts.about).toMatch(/^[A-Z].*\.$/)
      expect(Object.keys(texts.columns), name).toEqual(
        columns.filter(({ view }) => view === name).map((column) => column.name),
      )
    }
    expect(columns.filter(({ text }) => !/^[A-Za-z0-9`].*\.$/s.test(text ?? ''))).toEqual([])
  })

  test('then a time has its Unix seconds beside it, and an amount in USDC its base units', async () => {
    const columns = await listColumns()
    const types = new Map(columns.map(({ view, name, type }) => [`${view}.${name}`, type]))
    const lonely = columns.filter(({ view, name, type }) => {
      if (type === 'timestamp with time zone') return types.get(`${view}.${name}_s`) !== 'bigint'
      const units = /^(.*)_(usdc|units)$/.exec(name)
      return units !== null && (type !== 'numeric' || !types.get(`${view}.${units[1]}`)?.startsWith('numeric'))
    })
    expect(lonely.map(({ view, name }) => `${view}.${name}`)).toEqual(['ledger.at'])
  })
})

describe('given tasks of each visibility, an update, and a public hash on a private task', () => {
  const marked = (visibility: string) => `Marker ${visibility} of a text\nand its second line`
  const tags = (visibility: string) => [`marker-${visibility}-tag`]

  test('then the texts of private and unlisted tasks are in no column of any view, and those of public ones in that of tasks', async () => {
    const ids: Record<string, string> = {}
    for (const taskVisibility of ['public', 'unlisted', 'private'] as const) {
      const texts = {
        description: marked(taskVisibility),
        tags: tags(taskVisibility),
        taskVisibility,
        metricDescription: `Marker ${taskVisibility} of a metric`,
        metricTarget: `Marker ${taskVisibility} of a target`,
      }
      const task = await api.seed.task({ requester }, texts)
      ids[taskVisibility] = task.id
      await api.seed.submission(task.id, alice, { files: [`Marker ${taskVisibility} of a file`] })
      await api.seed.pitch(task.id, alice, { pitchText: `Marker ${taskVisibility} of a pitch` })
      await api.seed.proof(task.id, alice, { proofData: `Marker ${taskVisibility} of a proof` })
      await api.seed.award(task.id, alice)
      await api.seed.rating(task, alice, 80, `Marker ${taskVisibility} of a feedback`)
    }
    // A direct call may put any hash of the requester on chain: the visibility of the creation stays.
    const publicHash = (await contentHashOf(ids.public)) ?? ''
    const privateHash = (await contentHashOf(ids.private)) ?? ''
    const swapped = await api.seed.task({ requester }, { description: marked('private'), taskVisibility: 'private' })
    await api.sql`update task set content_hash = ${publicHash} where id = ${swapped.id}`
    const listed = await api.seed.task({ requester }, { description: marked('unlisted'), taskVisibility: 'unlisted' })
    await api.sql`update task set listed = true where id = ${listed.id}`
    const updated = await api.seed.task({ requester }, { description: marked('public') })
    await api.sql`update task set content_hash = ${privateHash} where id = ${updated.id}`
    const direct = await api.seed.task({ requester, listed: true, contentHash: aHash() }, null)
    await api.sql`update task set content_hash = ${publicHash} where id = ${direct.id}`

    const texts = new Set<string>()
    for (const { view, name, type } of await listColumns()) {
      if (!/text|json|char/.test(type)) continue
      const rows = await api.sql.unsafe(`select ${name}::text as text from analytics.${view}`)
      for (const { text } of rows) if (/marker/i.test(text ?? '')) texts.add(`${view}.${name} ${text}`)
    }
    expect([...texts].toSorted()).toEqual([
      `task.description ${marked('public')}`,
      'task.tags {marker-public-tag}',
      'task.title Marker public of a text',
    ])
    const rows = await api.sql`select id from analytics.task where title is not null or is_public order by id`
    expect(rows.map(({ id }) => id)).toEqual([ids.public, updated.id].toSorted())
  })

  async function contentHashOf(id: string | undefined): Promise<string | undefined> {
    const [row] = await api.sql<{ contentHash: string }[]>`select content_hash from task where id = ${id ?? ''}`
    return row?.contentHash
  }

  test('when a condition would fail on a hidden text, then the text is in no error', async () => {
    const another = anActor().address
    await api.seed.task({ requester: another }, { description: '1', tags: ['1'] })
    for (const taskVisibility of ['unlisted', 'private'] as const) {
      await api.seed.task({ requester: another }, { description: marked('hidden'), tags: ['hidden'], taskVisibility })
    }
    for (const column of ['description', 'title', 'tags[1]']) {
      const rows = await api.sql.unsafe(
        `select id from analytics.task where ${column}::int > 0 and requester = '${another}'`,
      )
      expect(rows).toHaveLength(1)
    }
  })

  test('when a condition would fail on a tag that no award has, then the tag is in no error', async () => {
    await api.seed.task({ requester: anActor().address }, { description: 'Nothing', tags: ['no-number'] })
    expect(await api.sql`select id from analytics.skill where tag::numeric > 0`).toEqual([])
  })

  test('then the title is the one that the service shows', async () => {
    const descriptions = [
      'One\r\nTwo',
      `${'😀'.repeat(90)} end`,
      '\nSecond',
      'A\u2028B',
      'A\u2029B',
      ' Spaces ',
      'A\tB',
    ]
    for (const description of descriptions) {
      const { id } = await api.seed.task({ requester }, { description })
      const [row] = await api.sql`select title from analytics.task where id = ${id}`
      expect(row).toEqual({ title: taskTitleOf(description) })
    }
  })
})

const toWord = (name: string) => name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase()

/** The members of an enum of the contract, as words. */
async function wordsOf(name: string): Promise<string[]> {
  const source = await readFile(new URL('../../../contracts/src/types/TaskTypes.sol', import.meta.url), 'utf8')
  const [, members = ''] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(source) ?? []
  return members.split(',').map((member) => toWord(member.trim()))
}

let ordinal = 0

/** The detail of an event of a task with these arguments. */
async function detailOf(taskId: string, name: string, args: Record<string, unknown>): Promise<string | null> {
  ordinal += 1
  const id = `${taskId}:${ordinal}`
  await insertRow(api.sql, 'taskEvent', {
    id,
    taskId: taskId as `0x${string}`,
    ordinal,
    name,
    subject: null,
    statusAfter: 'open',
    args,
    amount: null,
    ...aPosition(),
  })
  const [row] = await api.sql<{ detail: string | null }[]>`select detail from analytics.event where id = ${id}`
  return row?.detail ?? null
}

describe('the words of the views', () => {
  test('given every call of the service, then its selector has a name, the shorter of two', async () => {
    const names = new Map<string, { operation: string; function: string; selector: string }>()
    for (const call of listOperationSelectors()) {
      const present = names.get(call.selector)
      if (present === undefined || call.operation.length < present.operation.length) names.set(call.selector, call)
    }
    const rows = await api.sql`select operation, function, selector from analytics.operation order by operation`
    expect([...rows]).toEqual([...names.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1)))
  })

  test('given every event of the market that names a task, then it has a word and an explanation', async () => {
    const events = taskMarketAbi.filter((item) => item.type === 'event')
    const names = events.filter(({ inputs }) => inputs.some(({ name }) => name === 'taskId')).map(({ name }) => name)
    const rows = await api.sql<{ name: string; kind: string; about: string }[]>`
      select name, kind, about from analytics.event_kind order by name`
    expect(rows.map(({ name, kind }) => ({ name, kind }))).toEqual(
      names.toSorted().map((name) => ({ name, kind: toWord(name) })),
    )
    expect(rows.filter(({ about }) => !/^[A-Z].*\.$/.test(about))).toEqual([])
  })

  test('given an event with each code of the contract, then its detail is the word', async () => {
    const { id } = await api.seed.task({ requester, mode: 'auction', auctionType: 'dutch', bidDeadline: 1n })
    const codes: [enumeration: string, argument: string, events: string[]][] = [
      ['SelectionKind', 'kind', ['TaskWorkerSelected']],
      ['ReturnReason', 'reason', ['EscrowReturned']],
      ['CancelReason', 'reason', ['TaskCancelled']],
      ['ReputationKind', 'kind', ['RequesterReputation']],
      ['Verdict', 'verdict', ['VerdictIssued', 'DisputeResolved', 'VerdictFinalized']],
    ]
    for (const [enumeration, argument, events] of codes) {
      const words = await wordsOf(enumeration)
      expect(words.length).toBeGreaterThan(1)
      for (const name of events) {
        for (const [code, word] of words.entries()) {
          expect(await detailOf(id, name, { [argument]: code })).toBe(word === 'none' ? null : word)
        }
      }
    }
    for (const [selector, name] of hookFunctions) expect(await detailOf(id, 'HookCallFailed', { selector })).toBe(name)
    expect(await detailOf(id, 'TaskCreated', {})).toBe('auction')
    expect(await detailOf(id, 'TaskRated', { rating: 1 })).toBeNull()
    await api.seed.proof(id, alice, { proofType: 'tlsn' })
    expect(await detailOf(id, 'ProofSubmitted', { proofIndex: 0 })).toBe('tlsn')
  })

  test('given a task that ended in each way, then its outcome is the word', async () => {
    for (const [kind, word] of (await wordsOf('ReputationKind')).entries()) {
      const { id } = await api.seed.task({ requester, mode: taskModes[kind % taskModes.length] ?? 'bounty' })
      await detailOf(id, 'RequesterReputation', { kind })
      const [row] = await api.sql`select outcome from analytics.task where id = ${id}`
      expect(row).toEqual({ outcome: word })
    }
  })
})

test('given no standby, when the schema is asked for, then every table is there, with keys, references and the comments of the database', async () => {
  const head = { blockNumber: 77n, blockTimestamp: START, checkpoint: '', schemaVersion: 'idx_00000000000000aa' }
  await api.sql`insert into indexed_head ${api.sql(head)}`
  await api.sql`comment on schema market is 'the read model'`
  await api.sql`comment on table market.award is 'one row an award'`
  await api.sql`comment on column market.award.rating is '0..100; null: not rated'`
  const { status, body } = await api.get('/api/sql/schema')
  expect([status, body.schemaVersion]).toEqual([200, 'idx_00000000000000aa'])
  expect(body.schemas).toMatchObject([{ name: 'analytics' }, { name: 'market', meaning: 'the read model' }])
  const tableOf = (schema: string, name: string) =>
    body.tables.find((table: { schema: string; name: string }) => table.schema === schema && table.name === name)
  const award = tableOf('market', 'award')
  expect(award).toMatchObject({ meaning: 'one row an award', key: 'id' })
  expect(award.columns).toEqual(
    expect.arrayContaining([
      { name: 'id', type: 'text', nullable: false, references: null, meaning: null },
      { name: 'task_id', type: 'text', nullable: false, references: 'market.task.id', meaning: null },
      { name: 'rating', type: 'integer', nullable: true, references: null, meaning: '0..100; null: not rated' },
    ]),
  )
  const ledger = tableOf('analytics', 'ledger')
  expect(ledger).toMatchObject({ meaning: expect.stringContaining('movement of money'), key: 'id' })
  expect(ledger.columns[2]).toEqual({
    name: 'at',
    type: 'timestamp with time zone',
    nullable: null,
    references: null,
    meaning: expect.any(String),
  })
})

test('given one table is asked for, then it alone is answered, of both schemas unless one is named; another name is 404', async () => {
  const tablesOf = async (table: string) => {
    const { body } = await api.get(`/api/sql/schema?table=${table}`)
    return body.tables.map(({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`)
  }
  expect(await tablesOf('ledger')).toEqual(['analytics.ledger', 'market.ledger'])
  expect(await tablesOf('market.task')).toEqual(['market.task'])
  const { status, body } = await api.get('/api/sql/schema?table=service.intents')
  expect([status, body.error]).toEqual([404, expect.stringContaining('There is no table service.intents')])
})

test('given a later block, when it is asked for again with its tag, then it has not changed', async () => {
  const { headers } = await api.get('/api/sql/schema')
  await api.sql`update indexed_head set block_number = 78, block_timestamp = block_timestamp + 2`
  api.deps.rowChanges.note()
  const again = await api.get('/api/sql/schema', { 'If-None-Match': headers.get('ETag') ?? '' })
  expect(again.status).toBe(304)
  await api.sql`create view analytics.later as select 1 as one`
  await api.sql`update indexed_head set block_number = 79, version = 'another'`
  api.deps.rowChanges.note()
  const changed = await api.get('/api/sql/schema', { 'If-None-Match': headers.get('ETag') ?? '' })
  expect(changed.status).toBe(200)
})
