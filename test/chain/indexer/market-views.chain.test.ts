import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import marketTexts from '../../../api/db/market-texts.json' with { type: 'json' }
import { migrate } from '../../../api/db/migrate.ts'
import { listPageHeads } from '../../../api/features/tasks/list/list-tasks.queries.ts'
import { readTaskDetail } from '../../../api/features/tasks/task-detail.ts'
import { findServedSchema, serveSchema } from '../../../ops/indexer/views-schema.ts'
import { applyLogins } from '../../../scripts/postgres/database-logins.ts'
import { byDepth } from '../../support/depth.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { deployAll, deploy as deployOn } from './stand-in-deployment.ts'

let database: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 3, onnotice: () => {} })
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

beforeEach(async () => {
  await sql`DROP SCHEMA IF EXISTS market, idx_old, idx_new CASCADE`
})

const deploy = (schema: string, state: Parameters<typeof deployOn>[2]) => deployOn(sql, schema, state)

async function moveHead(schema: string, block: number): Promise<void> {
  await sql.unsafe(`
    UPDATE ${schema}._ponder_checkpoint
    SET latest_checkpoint = overlay(latest_checkpoint placing '${String(block).padStart(16, '0')}' from 27 for 16)`)
}

/** The comments of the schema, of its views and of their columns, as psql shows them. */
async function readTexts() {
  const [schema] = await sql`SELECT obj_description('market'::regnamespace, 'pg_namespace') AS about`
  const rows = await sql<{ view: string; about: string | null; columns: Record<string, string | null> }[]>`
    SELECT relname AS view, obj_description(oid, 'pg_class') AS about,
           (SELECT json_object_agg(attname, col_description(attrelid, attnum)) FROM pg_attribute
            WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped) AS columns
    FROM pg_class WHERE relnamespace = 'market'::regnamespace AND relkind = 'v'`
  return { about: schema?.about, views: Object.fromEntries(rows.map(({ view, ...texts }) => [view, texts])) }
}

/** The columns of each view, the texts, what they were made from, and the trigger that notifies of the head. */
async function shownNow() {
  const columns = await sql`
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'market' ORDER BY table_name, ordinal_position`
  const tables = await sql`
    SELECT view_name, table_schema, table_name FROM information_schema.view_table_usage
    WHERE view_schema = 'market' ORDER BY 1, 2, 3`
  const [schema] = await sql`SELECT to_regnamespace('market') IS NOT NULL AS exists`
  const texts = schema?.exists === true ? await readTexts() : null
  const [marker] = await sql`SELECT made_from FROM market_index.served_views`
  const triggers = await sql`
    SELECT event_object_schema, event_object_table, action_statement FROM information_schema.triggers
    WHERE trigger_name = 'notify_head' ORDER BY event_manipulation`
  return { columns: [...columns], tables: [...tables], texts, marker, triggers: [...triggers] }
}

/** Each view with the transaction that created or replaced it. */
async function madeViews() {
  const rows = await sql`
    SELECT ev_class::regclass::text AS view, xmin::text FROM pg_rewrite
    WHERE ev_class IN (SELECT oid FROM pg_class WHERE relnamespace = 'market'::regnamespace) ORDER BY 1`
  return [...rows]
}

describe('the views that readers use', () => {
  test('given a login that revoked its rights, when another deployment is served, then it can read that one', async () => {
    await deploy('idx_old', { block: 12, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    await applyLogins(database.url)
    await sql`ALTER DEFAULT PRIVILEGES FOR ROLE market_indexer IN SCHEMA market REVOKE SELECT ON TABLES FROM market_reader`
    await deploy('idx_new', { block: 13, columns: 'id text, more int' })
    await serveSchema(sql, 'idx_new')
    const [row] = await sql`SELECT has_table_privilege('market_reader', 'market.task', 'SELECT') AS may`
    expect(row).toEqual({ may: true })
  })

  test('given a deployment, when it is served, then readers see its tables and its head', async () => {
    await deploy('idx_old', { block: 12, columns: 'id int' })
    await sql`INSERT INTO idx_old.task VALUES (7)`
    expect(await findServedSchema(sql)).toBeNull()

    await serveSchema(sql, 'idx_old')

    expect(await findServedSchema(sql)).toBe('idx_old')
    expect([...(await sql`SELECT id FROM market.task`)]).toEqual([{ id: 7 }])
    expect([...(await sql`SELECT block_number, block_timestamp, ready FROM market.indexed_head`)]).toEqual([
      { block_number: '12', block_timestamp: '1700000012', ready: true },
    ])
    const names = await sql`SELECT table_name FROM information_schema.tables WHERE table_schema = 'market' ORDER BY 1`
    expect(names.map((row) => row.table_name)).toEqual(['indexed_head', 'task'])
  })

  test('given a task, when its row is written, with other values or the same, then its version is another', async () => {
    await deploy('idx_old', { block: 12, columns: 'id int, count int' })
    await sql`INSERT INTO idx_old.task VALUES (7, 1), (8, 1)`
    await serveSchema(sql, 'idx_old')
    const versions = async () =>
      (await sql`SELECT row_version FROM market.task ORDER BY id`).map((row) => String(row.row_version))
    const [seven, eight] = await versions()
    const seen = [seven]
    for (const write of ['count = 2', 'count = 1', 'count = count']) {
      await sql.unsafe(`UPDATE idx_old.task SET ${write} WHERE id = 7`)
      const [next, other] = await versions()
      expect(seen).not.toContain(next)
      expect(other).toBe(eight)
      seen.push(next)
    }
    await sql`DELETE FROM idx_old.task WHERE id = 7`
    await sql`INSERT INTO idx_old.task VALUES (7, 1)`
    expect(seen).not.toContain((await versions())[0])
    await sql`VACUUM FREEZE idx_old.task`
    expect((await versions())[1]).toBe(eight)
  })

  test('given a ledger, when a deployment with other columns is served, then it reads that one, and a lost one is made again', async () => {
    await deployAll(sql, 'idx_old', { block: 1, gift: 3 })
    await deployAll(sql, 'idx_new', { block: 2, gift: 4 })
    await sql`ALTER TABLE idx_new.arrival RENAME transaction_index TO place`
    const read = async () => [...(await sql`SELECT from_account, to_account, amount, amount_units FROM market.ledger`)]
    await serveSchema(sql, 'idx_old')
    const row = { from_account: '0xd', to_account: 'unassigned:0xa' }
    expect(await read()).toEqual([{ ...row, amount: '3', amount_units: '0.000003' }])
    await serveSchema(sql, 'idx_new')
    await sql`DROP SCHEMA idx_old CASCADE`
    expect(await read()).toEqual([{ ...row, amount: '4', amount_units: '0.000004' }])
    await sql`DROP VIEW market.ledger`
    await serveSchema(sql, 'idx_new')
    expect(await read()).toHaveLength(1)
  })

  test('given all tables, when a deployment is served, and another one after it, then the schema, each view and each column have their text', async () => {
    await deployAll(sql, 'idx_old', { block: 1, gift: 3 })
    await deployAll(sql, 'idx_new', { block: 2, gift: 4 })
    await sql`ALTER TABLE idx_old.task RENAME listed TO shown`
    await serveSchema(sql, 'idx_old')
    const { shown, listed, ...columns } = (await readTexts()).views.task?.columns ?? {}
    expect({ shown, listed }).toEqual({ shown: null, listed: undefined })
    expect(columns).toEqual({ ...marketTexts.views.task.columns, listed: undefined })
    await serveSchema(sql, 'idx_new')
    expect(await readTexts()).toEqual(marketTexts)
  })

  test('given readers, when another deployment is served, then each of them reads one of both', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await deploy('idx_new', { block: 2, columns: 'id int' })
    await sql`INSERT INTO idx_old.task VALUES (1)`
    await sql`INSERT INTO idx_new.task VALUES (2)`
    await serveSchema(sql, 'idx_old')

    let isSwapped = false
    const seen = new Set<string>()
    const reading = (async () => {
      while (!isSwapped) {
        const rows = await sql`SELECT id, (SELECT block_number FROM market.indexed_head) AS head FROM market.task`
        seen.add(JSON.stringify(rows))
      }
    })()
    for (let swap = 0; swap < byDepth(4, 20); swap += 1) await serveSchema(sql, swap % 2 === 0 ? 'idx_new' : 'idx_old')
    isSwapped = true
    await reading

    const answers = ['[{"id":1,"head":"1"}]', '[{"id":2,"head":"2"}]']
    expect([...seen].filter((answer) => !answers.includes(answer))).toEqual([])
    expect(seen.size).toBeGreaterThan(0)
  })

  test('given lists and details that are read without a pause, when deployments are served, then each is, and no read fails', async () => {
    await deployAll(sql, 'idx_old', { block: 1, gift: 3 })
    await deployAll(sql, 'idx_new', { block: 2, gift: 4 })
    await serveSchema(sql, 'idx_old')
    const service = connectDatabase({ url: database.url, max: 4 })
    await migrate(service)
    onTestFinished(async () => {
      await service.end()
      await sql`DROP SCHEMA IF EXISTS service, analytics CASCADE`
    })
    const readList = async () =>
      (await listPageHeads(service, {} as never, { order: 'newest', limit: 21, now: 1n })).position
    const deps = { chain: { head: async () => ({ timestamp: 1n }) }, config: {} } as never
    const readDetail = async () => (await readTaskDetail(deps, service, `0x${'a'.repeat(64)}`)).position
    const seen = new Set<string>()
    let isOver = false
    const readSteadily = async (read: () => Promise<string>) => {
      while (!isOver) seen.add((await read()).replace(/^.* /, ''))
    }
    // Each has a plan of its own now: a reader takes its locks at once.
    await Promise.all([readList(), readDetail()])
    const reading = Promise.all([readList, readDetail, readList, readDetail].map(readSteadily))
    for (const schema of ['idx_new', 'idx_old', 'idx_new']) {
      await serveSchema(sql, schema)
      expect(await findServedSchema(sql)).toBe(schema)
    }
    isOver = true
    await reading
    expect([...seen].sort()).toEqual(['idx_new', 'idx_old'])
  })

  test('given a deployment a block behind, when it is served, then the head that readers see never falls', async () => {
    await deploy('idx_old', { block: 12, columns: 'id int' })
    await deploy('idx_new', { block: 11, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    const serving = serveSchema(sql, 'idx_new', { mayCatchUpMs: 60_000 })
    const readHeads = async (count: number) => {
      const heads = new Set<string>()
      for (let read = 0; read < count; read += 1) {
        heads.add((await sql`SELECT block_number FROM market.indexed_head`)[0]?.block_number)
      }
      return [...heads]
    }
    expect(await readHeads(200)).toEqual(['12'])
    await sql`UPDATE idx_new._ponder_checkpoint SET latest_checkpoint = (SELECT latest_checkpoint FROM idx_old._ponder_checkpoint)`
    await serving
    expect(await findServedSchema(sql)).toBe('idx_new')
    expect(await readHeads(1)).toEqual(['12'])
  })

  test('given a deployment that stays behind, when its time is over, then it is served', async () => {
    await deploy('idx_old', { block: 12, columns: 'id int' })
    await deploy('idx_new', { block: 11, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    await serveSchema(sql, 'idx_new', { mayCatchUpMs: 1 })
    expect(await findServedSchema(sql)).toBe('idx_new')
  })

  test('given a long query of an analyst, when another deployment is served, then other readers are not blocked', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await deploy('idx_new', { block: 2, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    let serving: Promise<unknown> = Promise.resolve()
    await sql.begin(async (analyst) => {
      await analyst`SELECT * FROM market.task`
      serving = serveSchema(sql, 'idx_new')
      for (let read = 0; read < 5; read += 1) {
        const [head] = await sql`SELECT block_number, (SELECT count(*) FROM market.task) FROM market.indexed_head`
        expect(head?.block_number).toBe('1')
      }
    })
    await serving
    expect(await findServedSchema(sql)).toBe('idx_new')
  })

  test('given a reader that takes the head last, when the switch waits its longest, then the reader is not ended', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await deploy('idx_new', { block: 2, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.999)
    const waits = () => sql`
      SELECT FROM pg_locks WHERE NOT granted AND relation = 'market.task'::regclass AND mode = 'AccessExclusiveLock'`
    let serving: Promise<unknown> = Promise.resolve()
    await sql.begin(async (reader) => {
      // A tenth before the server would end one of two that wait for each other.
      await reader`SET LOCAL deadlock_timeout = '900ms'`
      await reader`SELECT FROM market.task`
      serving = serveSchema(sql, 'idx_new')
      await expect.poll(async () => (await waits()).length).toBe(1)
      const [head] = await reader`SELECT block_number FROM market.indexed_head`
      expect(head?.block_number).toBe('1')
    })
    random.mockRestore()
    await serving
    expect(await findServedSchema(sql)).toBe('idx_new')
  })

  test('given the same columns and more, when another deployment is served, then grants are kept', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await deploy('idx_new', { block: 2, columns: 'id int, name text' })
    await serveSchema(sql, 'idx_old')
    await sql`GRANT SELECT ON market.task TO public`

    await serveSchema(sql, 'idx_new')

    const [row] = await sql`SELECT has_table_privilege('public', 'market.task', 'SELECT') AS granted`
    expect(row?.granted).toBe(true)
    expect([...(await sql`SELECT * FROM market.task`)]).toEqual([])
  })

  test('given other columns and a missing table, when another deployment is served, then the views are replaced', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await sql`CREATE TABLE idx_old.bid (id int)`
    await deploy('idx_new', { block: 2, columns: 'name text' })
    await serveSchema(sql, 'idx_old')

    await serveSchema(sql, 'idx_new')

    const columns = await sql`
      SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'market' AND table_name <> 'indexed_head' ORDER BY ordinal_position`
    expect([...columns]).toEqual([
      { table_name: 'task', column_name: 'row_version' },
      { table_name: 'task', column_name: 'name' },
    ])
  })

  test('given a view of another owner that depends on one to be dropped, then nothing is changed', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await deploy('idx_new', { block: 2, columns: 'name text' })
    await serveSchema(sql, 'idx_old')
    await sql`CREATE SCHEMA IF NOT EXISTS analyst`
    await sql`CREATE VIEW analyst.mine AS SELECT id FROM market.task`

    await expect(serveSchema(sql, 'idx_new', { oldestVersion: 2 })).rejects.toThrow('other objects depend on it')
    expect(await findServedSchema(sql)).toBe('idx_old')
    expect([...(await sql`SELECT ready, oldest_version FROM market.indexed_head`)]).toEqual([
      { ready: true, oldest_version: 1 },
    ])
    await sql`DROP SCHEMA analyst CASCADE`
  })
})

test('given rows that older services may not read, when they are served, then those are told before a row is another', async () => {
  await deploy('idx_old', { block: 1, columns: 'id int' })
  await deploy('idx_new', { block: 2, columns: 'id int' })
  await serveSchema(sql, 'idx_old')
  const seen: unknown[] = []
  let reading: Promise<void> = Promise.resolve()
  const { unlisten } = await sql.listen('market_head', () => {
    reading = reading.then(async () => {
      const [head] = await sql`SELECT schema_version, ready, oldest_version FROM market.indexed_head`
      seen.push(head)
    })
  })
  await serveSchema(sql, 'idx_new', { oldestVersion: 2 })
  await expect
    .poll(() => seen)
    .toEqual([
      { schema_version: 'idx_old', ready: false, oldest_version: 1 },
      { schema_version: 'idx_new', ready: true, oldest_version: 2 },
    ])
  await unlisten()
  await serveSchema(sql, 'idx_old')
  expect([...(await sql`SELECT ready, oldest_version FROM market.indexed_head`)]).toEqual([
    { ready: true, oldest_version: 1 },
  ])
})

describe('given views that were made of the served deployment', () => {
  beforeEach(async () => {
    await deploy('idx_old', { block: 1, columns: 'id int, name text' })
    await deploy('idx_new', { block: 2, columns: 'id int, name text' })
    await sql`CREATE TABLE idx_old.bid (id int, name text)`
    await serveSchema(sql, 'idx_old')
  })

  test('when they are complete and it is served again, then they are kept, and no reader is waited for', async () => {
    const before = await madeViews()
    await sql.begin(async (analyst) => {
      await analyst`SELECT * FROM market.task, market.bid, market.indexed_head`
      await serveSchema(sql, 'idx_old')
    })
    expect(await madeViews()).toEqual(before)
  })

  test.each([
    ['a view was dropped', 'DROP VIEW market.task'],
    [
      'a view was recreated with a column less',
      'DROP VIEW market.task; CREATE VIEW market.task AS SELECT id FROM idx_old.task',
    ],
    [
      'a view was recreated with another column name',
      'DROP VIEW market.task; CREATE VIEW market.task AS SELECT id, name AS title FROM idx_old.task',
    ],
    [
      'a view was replaced by one of another table',
      'CREATE OR REPLACE VIEW market.task AS SELECT xmin::text AS row_version, id, name FROM idx_old.bid',
    ],
    ['the trigger was dropped', 'DROP TRIGGER notify_head ON idx_old._ponder_checkpoint'],
    [
      'the trigger was moved to another deployment',
      `DROP TRIGGER notify_head ON idx_old._ponder_checkpoint;
       CREATE TRIGGER notify_head AFTER INSERT OR UPDATE ON idx_new._ponder_checkpoint
       FOR EACH ROW EXECUTE FUNCTION market.notify_head()`,
    ],
    ['the function of the trigger was dropped', 'DROP FUNCTION market.notify_head CASCADE'],
    ['the head was dropped', 'DROP VIEW market.indexed_head'],
    ['the schema was dropped', 'DROP SCHEMA market CASCADE'],
    [
      'other texts were written by an earlier release',
      `COMMENT ON VIEW market.indexed_head IS 'made from an earlier release';
       COMMENT ON COLUMN market.task.name IS 'a name';
       UPDATE market_index.served_views SET made_from = 'earlier'`,
    ],
  ])('when %s and it is served again, then everything is restored', async (_name, damage) => {
    const whole = await shownNow()
    await sql.unsafe(damage)
    expect(await shownNow()).not.toEqual(whole)

    await serveSchema(sql, 'idx_old')

    expect(await shownNow()).toEqual(whole)
  })
})

describe('the notification of a new head', () => {
  test('given a listener, when the served deployment indexes a block, then it gets the number, and none of other deployments', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await deploy('idx_new', { block: 2, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    await serveSchema(sql, 'idx_new')
    const heard: string[] = []
    let hear: () => void = () => {}
    const heardThree = new Promise<void>((resolve) => {
      hear = resolve
    })
    const { unlisten } = await sql.listen('market_head', (payload) => {
      heard.push(payload)
      if (payload === '3') hear()
    })

    await moveHead('idx_old', 99)
    await moveHead('idx_new', 3)
    await heardThree

    expect(heard).toEqual(['3'])
    await unlisten()
  })

  test('given a block that changes no row of its tables, then its number is notified as idle before, and of others it is not', async () => {
    await deploy('idx_old', { block: 1, columns: 'id int' })
    await serveSchema(sql, 'idx_old')
    const heard: string[] = []
    const ends = await Promise.all(
      ['market_idle_block', 'market_head'].map((channel) =>
        sql.listen(channel, (payload) => heard.push(`${channel} ${payload}`)),
      ),
    )
    const changes = [
      'SELECT 1',
      'INSERT INTO idx_old.task VALUES (1)',
      'UPDATE idx_old._reorg__task SET id = 1',
      'UPDATE idx_old.task SET id = 2',
      'SAVEPOINT inner_one; DELETE FROM idx_old.task; RELEASE inner_one',
      'SELECT 2',
    ]
    for (const [index, change] of changes.entries()) {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(change)
        await transaction.unsafe(`
          UPDATE idx_old._ponder_checkpoint
          SET latest_checkpoint = overlay(latest_checkpoint placing '${String(index + 2).padStart(16, '0')}' from 27 for 16)`)
      })
    }
    await expect.poll(() => heard.at(-1)).toBe('market_head 7')
    const idle = ['2', '4', '7']
    expect(heard).toEqual(
      ['2', '3', '4', '5', '6', '7'].flatMap((block) => [
        ...(idle.includes(block) ? [`market_idle_block ${block}`] : []),
        `market_head ${block}`,
      ]),
    )
    await Promise.all(ends.map(({ unlisten }) => unlisten()))
  })
})
