import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExportFormat, exportFormats, manifestSchema } from '../../../api/exports/manifest.ts'
import { openDirectory } from '../../../ops/export/destination.ts'
import { type ExportOptions, runExport } from '../../../ops/export/run-export.ts'
import { appendedTables } from '../../../ops/export/tables.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { exporterLogin, loginUrl } from '../../../scripts/postgres/database-logins.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { findAnalystsPython } from '../../../scripts/stack/find-python.ts'
import { anActor } from '../../support/actors.ts'
import { type ApiWithStandby, startApiWithStandby } from '../../support/api-with-standby.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { START } from '../../support/rows/insert-row.ts'

/** Amounts of a token with 18 decimals: beyond the exact range of doubles, and beyond 64 bits. */
const amounts = [9_007_199_254_740_993n, 18_446_744_073_709_551_617n, 79_228_162_514_264_337_593_543_950_335n]
const sum = amounts.reduce((total, amount) => total + amount)
/** The largest decimal of 38 digits, and the next whole number. */
const largest = 10n ** 38n - 1n
const secret = 'a sentence of a private task that no export may have'

/** A day in seconds. */
const DAY = 86_400n

/** A chain whose blocks a test sets: the hash of a block is made of its number and `fork`. */
const chain = {
  fork: 0,
  final: 1_000_000n,
  timestamps: new Map<bigint, bigint>(),
  finalNumber: async (): Promise<bigint> => chain.final,
  block: async (number: bigint): Promise<{ hash: string; timestamp: bigint }> => {
    const timestamp = chain.timestamps.get(number)
    if (timestamp === undefined) throw new Error(`the chain has no block ${number}`)
    return { hash: hashOf(number, chain.fork), timestamp }
  },
}

function hashOf(number: bigint, fork: number): string {
  return `0x${(number * 16n + BigInt(fork)).toString(16).padStart(64, '0')}`
}

const cleanups = createCleanups()
let api: ApiWithStandby
let directory: string
let superuser: postgres.Sql

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'task-market-exports-'))
  cleanups.defer(() => rmSync(directory, { recursive: true, force: true }))
  api = await startApiWithStandby({ EXPORTS_DIR: directory })
  cleanups.defer(api.stop)
  superuser = postgres(api.servers.standbyUrl, { max: 1, fetch_types: false })
  cleanups.defer(() => superuser.end())
  const requester = anActor().address
  for (const amount of amounts) {
    const { id } = await api.seed.task({ requester })
    await api.sql`update task set reward = ${String(amount)} where id = ${id}`
  }
  for (const clockPrice of [largest, largest + 1n]) {
    const { id } = await api.seed.task({ requester, reward: 0n })
    await api.sql`update task set clock_price = ${String(clockPrice)} where id = ${id}`
  }
  await api.seed.task({ requester, reward: 0n }, { description: secret, tags: [secret], taskVisibility: 'private' })
  await api.seed.task({ requester, reward: 0n }, { description: secret, tags: [secret], taskVisibility: 'unlisted' })
  await insertEvents({ first: 1, count: 10, timestamp: START - DAY })
  await insertEvents({ first: 11, count: 5, timestamp: START })
  await indexBlock(77n, START + 100n)
})
afterAll(() => cleanups.run())

/** The standby of the service, on the login of exports. */
function exporterUrl(): string {
  return atServer(loginUrl(api.deps.config.DATABASE_URL, exporterLogin), api.servers.standbyUrl)
}

/** Moves the rows and the chain to a block. */
async function indexBlock(blockNumber: bigint, blockTimestamp: bigint): Promise<void> {
  chain.timestamps.set(blockNumber, blockTimestamp)
  const head = { blockNumber, blockTimestamp, checkpoint: '', schemaVersion: 'idx_00000000000000aa' }
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql(head)}`
}

/** Events of tasks, numbered from `first`, one a second. */
async function insertEvents({ first, count, timestamp }: { first: number; count: number; timestamp: bigint }) {
  await api.sql.unsafe(`
    INSERT INTO market.task_event
    SELECT 'event:' || n, '0x' || lpad(to_hex(n), 64, '0'), n, 'TaskUpdated', null, 'open',
      json_build_object('reward', n::text), n, n, ${timestamp} + (n - ${first}), '0x' || lpad(to_hex(n), 64, '0'), 0, 0
    FROM generate_series(${first}, ${first + count - 1}) AS n`)
}

async function exportAs(format: ExportFormat, options: Partial<ExportOptions> = {}) {
  await api.servers.replayed()
  return await runExport({
    databaseUrl: exporterUrl(),
    chain,
    destination: openDirectory(directory),
    format,
    signal: new AbortController().signal,
    log: () => {},
    ...options,
  })
}

/** A chain that does something each time that it is asked for the newest final block. */
function withFinality(...answers: (() => Promise<bigint>)[]) {
  return { ...chain, finalNumber: async () => (await answers.shift()?.()) ?? chain.final }
}

async function readTable(path: string, name: string) {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(directory, path), 'utf8')))
  return manifest.tables.find((table) => table.name === name)?.files ?? []
}

const isPaused = async () =>
  (await superuser`SELECT pg_get_wal_replay_pause_state() AS state`)[0]?.state !== 'not paused'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function query(sql: string) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  try {
    const connection = await instance.connect()
    return (await connection.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    instance.closeSync()
  }
}

describe('given rows at a final block', () => {
  test.each(exportFormats)(
    'when they are exported as %s, then the files, the manifest and the list agree',
    async (format) => {
      const { id } = await exportAs(format)
      expect(await isPaused()).toBe(false)
      const { body } = await api.get('/api/exports')
      const [listed] = body.exports
      expect(listed).toMatchObject({
        id,
        format,
        schemaVersion: 'idx_00000000000000aa',
        block: { number: 77, hash: hashOf(77n, 0), timestamp: '2030-01-01T00:01:40.000Z' },
      })
      const answer = await api.app.request(new URL(listed.manifestUrl).pathname)
      const manifest = manifestSchema.parse(await answer.json())
      const catalog = await api.sql`
      select format('%s.%s', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('market', 'analytics') and relkind in ('r', 'v', 'p', 'm')`
      expect(manifest.tables.map(({ name }) => name).sort()).toEqual(catalog.map(({ name }) => name).sort())
      const names = manifest.tables.map(({ name }) => name)
      expect(Object.keys(appendedTables).filter((name) => !names.includes(name))).toEqual([])
      const whole = manifest.tables.filter(({ name }) => appendedTables[name] === undefined)
      expect(whole.filter(({ files: [first, ...others] }) => first?.day !== undefined || others.length > 0)).toEqual([])
      for (const { path, bytes, sha256 } of manifest.tables.flatMap(({ files }) => files)) {
        const content = readFileSync(join(directory, path))
        expect([path, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
          path,
          bytes,
          sha256,
        ])
      }
      const events = manifest.tables.find(({ name }) => name === 'market.task_event')
      expect(events?.files.map(({ path, rows }) => [path.split('/').at(-2), rows])).toEqual([
        ['day=2029-12-31', 10],
        ['block=77', 5],
      ])
    },
  )

  test('then DuckDB sums amounts exactly, reads longer ones as texts, and times in UTC', async () => {
    const task = `read_parquet('${directory}/parquet/market/*/task/block=77/*.parquet')`
    expect(
      await query(`
        SELECT sum(reward)::VARCHAR AS sum, typeof(any_value(reward)) AS type, max(clock_price)::VARCHAR AS largest,
          max(clock_price_text) AS text, count(clock_price_text)::INT AS texts FROM ${task}`),
    ).toEqual([
      { sum: String(sum), type: 'DECIMAL(38,0)', largest: String(largest), text: String(largest + 1n), texts: 1 },
    ])
    const daily = `read_parquet('${directory}/parquet/analytics/*/daily_market/*/*.parquet')`
    expect(await query(`SELECT column_type AS type FROM (DESCRIBE SELECT day, gmv_usdc FROM ${daily})`)).toEqual([
      { type: 'DATE' },
      { type: 'DECIMAL(38,6)' },
    ])
    const days = `read_parquet('${directory}/parquet/market/*/task_event/*/*.parquet', hive_partitioning = false)`
    expect(await query(`SELECT count(*)::INT AS events, sum(amount)::VARCHAR AS amount FROM ${days}`)).toEqual([
      { events: 15, amount: '120' },
    ])
    const ledger = `read_parquet('${directory}/parquet/analytics/*/ledger/*/*.parquet')`
    expect(
      await query(`SELECT column_name, column_type FROM (DESCRIBE SELECT "at", amount, amount_units FROM ${ledger})`),
    ).toEqual([
      { column_name: 'at', column_type: 'TIMESTAMP WITH TIME ZONE' },
      { column_name: 'amount', column_type: 'DECIMAL(38,0)' },
      { column_name: 'amount_units', column_type: 'DECIMAL(38,18)' },
    ])
  })

  test('then the statements of the document for DuckDB are answered', async () => {
    const document = readFileSync(join(repositoryRoot, 'docs/build/analytics.md'), 'utf8')
    const [, statements = ''] = /```duckdb\n([\s\S]*?)```/.exec(document) ?? []
    const answers: unknown[] = []
    for (const statement of statements
      .replaceAll("'exports/", `'${directory}/`)
      .replaceAll('/idx_.../', '/*/')
      .split(/;\n/)
      .filter(Boolean)) {
      answers.push(await query(statement))
    }
    expect(answers).toEqual([
      [{ status: 'open', tasks: '7', reward: String(sum) }],
      [{ day: '2029-12-31', events: '10' }],
    ])
  })

  const pandas = findAnalystsPython()
  if (pandas !== null) {
    test('then pandas sums amounts of CSV and NDJSON exactly', () => {
      const program = `
import glob, pandas
from decimal import Decimal, getcontext
getcontext().prec = 78
[csv] = glob.glob('csv/market/*/task/block=77/*.csv')
[ndjson] = glob.glob('ndjson/market/*/task/block=77/*.ndjson')
for tasks in [pandas.read_csv(csv, converters={'reward': Decimal}), pandas.read_json(ndjson, lines=True, dtype={'reward': str})]:
    print(tasks['reward'].map(Decimal).sum())`
      const { stdout, stderr } = spawnSync(pandas, ['-c', program], { cwd: directory, encoding: 'utf8' })
      expect([stdout, stderr]).toEqual([`${sum}\n${sum}\n`, ''])
    })
  }

  test('then no file has a text of a private or an unlisted task', () => {
    const files = filesBelow(directory)
    expect(files.length).toBeGreaterThan(150)
    expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([])
  })
})

describe('given later blocks', () => {
  const events = 'market.task_event'

  test('when a day has ended, then it gets a file, and the days before are not written again', async () => {
    const before = await exportAs('parquet')
    const [first] = await readTable(before.manifest.path, events)
    const written = statSync(join(directory, first?.path ?? '')).mtimeMs
    await insertEvents({ first: 16, count: 3, timestamp: START + DAY })
    await indexBlock(78n, START + DAY + 100n)
    const after = await exportAs('parquet', { maxPartBytes: 1 })
    const files = await readTable(after.manifest.path, events)
    expect(files.map(({ path, day, rows }) => [path.split('/').at(-2), day, rows])).toEqual([
      ['day=2029-12-31', '2029-12-31', 10],
      ['day=2030-01-01', '2030-01-01', 5],
      ['block=78', undefined, 3],
    ])
    expect(files[0]).toEqual(first)
    expect(statSync(join(directory, first?.path ?? '')).mtimeMs).toBe(written)
    const { body } = await api.get('/api/exports')
    expect(body.exports.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual([
      after.id,
      'idx_00000000000000aa-77-ndjson',
    ])
    expect(body.exports[0].tables.find(({ name }: { name: string }) => name === events)).toMatchObject({
      rows: 18,
      files: 3,
      url: body.exports[0].manifestUrl,
    })
  })

  test('when the export of a block is published, then the next one of that block makes nothing', async () => {
    const lines: string[] = []
    const same = await exportAs('parquet', { log: (line) => lines.push(line) })
    expect([same.id, lines]).toEqual([
      'idx_00000000000000aa-78-parquet',
      ['idx_00000000000000aa-78-parquet is published already: there is no newer block'],
    ])
  })

  test('when the block is replaced before it is final, then the files are thrown away and made again', async () => {
    await indexBlock(79n, START + DAY + 102n)
    const lines: string[] = []
    const replaced = withFinality(
      async () => 70n,
      async () => {
        chain.fork = 1
        return chain.final
      },
    )
    const { block } = await exportAs('csv', { chain: replaced, log: (line) => lines.push(line) })
    expect(block.hash).toBe(hashOf(79n, 1))
    expect(lines).toContain('block 79 was replaced; the export is made again')
  })

  test('when events of a block were replaced, though the node had its last hash before the indexer, then likewise', async () => {
    await insertEvents({ first: 75, count: 1, timestamp: START + DAY + 10n })
    await indexBlock(80n, START + DAY + 104n)
    const lines: string[] = []
    const replaced = withFinality(
      async () => 70n,
      async () => {
        await api.sql`update market.task_event set transaction_hash = ${hashOf(1n, 5)} where block_number = 75`
        await api.servers.replayed()
        return chain.final
      },
    )
    const { manifest } = await exportAs('csv', { chain: replaced, log: (line) => lines.push(line) })
    expect(lines).toContain('events up to block 80 were replaced; the export is made again')
    const rest = (await readTable(manifest.path, events)).at(-1)
    expect(readFileSync(join(directory, rest?.path ?? ''), 'utf8')).toContain(hashOf(1n, 5))
  })

  test('while one reads, replay is paused, SQL says its block, and another one is refused', async () => {
    await indexBlock(81n, START + DAY + 106n)
    const seen: unknown[] = []
    const watched = withFinality(async () => {
      await api.sql`update indexed_head set block_number = 82`
      const { body } = await api.post('/api/sql', { query: 'SELECT 1 AS one' })
      const other = runExport({ ...options(), chain, format: 'csv' }).then(String, ({ message }) => message)
      seen.push(await isPaused(), body.block.number, await other)
      return chain.final
    })
    const options = () => ({
      databaseUrl: exporterUrl(),
      destination: openDirectory(join(directory, 'other')),
      signal: new AbortController().signal,
      log: () => {},
    })
    const { block } = await exportAs('ndjson', { chain: watched })
    expect([block.number, seen, await isPaused()]).toEqual([
      81,
      [true, 81, 'another export runs at this standby: one runs at a time'],
      false,
    ])
  })

  test('when it is stopped, or the rows are not complete, then it fails, replay goes on, and no file is left', async () => {
    await indexBlock(83n, START + DAY + 108n)
    const stopping = new AbortController()
    const stopped = withFinality(async () => {
      stopping.abort(new Error('stopped'))
      return chain.final
    })
    await expect(exportAs('csv', { chain: stopped, signal: stopping.signal })).rejects.toThrow('stopped')
    await api.sql`update indexed_head set recovers_to = 90`
    await expect(exportAs('csv')).rejects.toThrow('the rows are not complete')
    expect([await isPaused(), readdirSync(join(directory, '.staging'))]).toEqual([false, []])
    await expect(
      exportAs('csv', { databaseUrl: loginUrl(api.deps.config.DATABASE_URL, exporterLogin) }),
    ).rejects.toThrow('market_exporter may log in at a standby only')
  })
})
