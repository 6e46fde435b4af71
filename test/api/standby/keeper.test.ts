import { readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import postgres from 'postgres'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { processorsOfStrangers } from '../../../api/concurrency/processors-of-strangers.ts'
import { type Keeper, type KeeperOptions, startKeeper } from '../../../ops/standby/keeper.ts'
import { endOverdueSessions } from '../../../ops/standby/overdue-sessions.ts'
import { loginUrl, openLogins } from '../../../scripts/postgres/database-logins.ts'
import { startPostgres } from '../../../scripts/postgres/postgres.ts'
import { databaseUrlOf } from '../../../scripts/postgres/postgres-databases.ts'
import { atServer, type StandbyServer, startStandbyServer } from '../../../scripts/postgres/standby-server.ts'
import { analystsSettings } from '../../../scripts/stack/analysts-standby.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { clientStatements } from './client-statements.ts'

/** It compares a long text with every place of another one, and looks for no cancellation meanwhile. */
const uninterruptible = "SELECT strpos(repeat('a', 2000000), 'b' || repeat('a', 1000000))"
/** Anyone may run it, and it takes minutes. */
const endless = 'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
const soon = [
  { login: 'market_analyst', busySeconds: 0.3, idleSeconds: 0.3 },
  { login: 'market_reader', busySeconds: 0.3, idleSeconds: null },
]

const cleanups = createCleanups()
/** The primary, as its superuser. */
let primaryUrl: string
let primary: postgres.Sql
let standby: StandbyServer
/** A session of the superuser at the standby. */
let superuser: postgres.Sql
let connected: postgres.Sql[] = []
let keeper: Keeper | null = null
let lines: string[] = []

/** A primary with the logins and one table, and the standby of its analysts; replay waits a second for a query, not 30. */
beforeAll(async () => {
  const server = await startPostgres({ streams: true, inMemory: true })
  cleanups.defer(server.stop)
  primaryUrl = await server.createDatabase('market')
  await openLogins(primaryUrl, { isOwnServer: true })
  primary = open(primaryUrl)
  cleanups.defer(() => primary.end({ timeout: 0 }))
  await primary.unsafe(`
    CREATE TABLE market.task (id text PRIMARY KEY);
    COMMENT ON TABLE market.task IS 'one row a task';
    ALTER TABLE market.task OWNER TO market_indexer;
    GRANT SELECT ON market.task TO market_reader, market_analyst, market_exporter`)
  standby = await startStandbyServer(databaseUrlOf(server.url, 'market'), {
    replicationUrl: loginUrl(primaryUrl, 'market_replica'),
    settings: { ...analystsSettings, max_standby_streaming_delay: '1s' },
  })
  cleanups.defer(standby.stop)
  await standby.replayed()
  superuser = open(standby.url)
  cleanups.defer(() => superuser.end({ timeout: 0 }))
})
afterEach(async () => {
  await keeper?.stop()
  keeper = null
  lines = []
  await disconnect()
})
afterAll(() => cleanups.run())

function open(url: string, name = ''): postgres.Sql {
  const connection = { application_name: name }
  return postgres(url, { max: 1, fetch_types: false, backoff: () => 0.05, onnotice: () => {}, connection })
}

/** A session at the standby, by its login and with a name. */
function connect(
  login: 'market_analyst' | 'market_reader' | 'market_exporter' | 'postgres',
  name: string,
): postgres.Sql {
  const sql = open(login === 'postgres' ? standby.url : atServer(loginUrl(primaryUrl, login), standby.url), name)
  connected.push(sql)
  return sql
}

/** Ends the sessions of `connect`, whatever they do. */
async function disconnect(): Promise<void> {
  await superuser`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name LIKE 'test %'`
  await Promise.all(connected.map((sql) => sql.end({ timeout: 0 })))
  connected = []
}

function keep(options: Partial<KeeperOptions> = {}): void {
  keeper = startKeeper({
    url: standby.url,
    dataDirectory: standby.cluster,
    limits: soon,
    intervalMs: 50,
    log: (line) => lines.push(line),
    ...options,
  })
}

/** The names of the sessions at the standby that the tests have opened and that are still there. */
async function sessions(): Promise<string[]> {
  const rows = await superuser`
    SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'test %' ORDER BY 1`
  return rows.map(({ name }) => name)
}

describe('given programs of analysts', () => {
  test('when they look for tables and columns, then each statement is answered, and finds the tables', async () => {
    const analyst = connect('market_analyst', 'test client')
    for (const { client, text, rows } of clientStatements) {
      const answer = await analyst.unsafe(text).then(
        (found) => found.length,
        ({ code, message }) => `${code} ${message}`,
      )
      expect([client, text, answer]).toEqual([
        client,
        text,
        rows === true ? expect.toSatisfy((count) => count > 0) : expect.any(Number),
      ])
    }
  })
})

describe('given sessions at a standby', () => {
  test('when they are busy or idle for longer than their login may be, then they end, each with a line, and the others stay', async () => {
    const busy = connect('market_analyst', 'test busy')
    await busy`SET statement_timeout = 0`
    const waiting = connect('market_analyst', 'test waiting')
    await waiting.unsafe('BEGIN; SET idle_in_transaction_session_timeout = 0; SELECT 1')
    const idle = connect('market_analyst', 'test idle')
    await idle`SET idle_session_timeout = 0`
    const reading = connect('market_reader', 'test reading')
    const pooled = connect('market_reader', 'test pooled')
    await pooled`SELECT 1`
    const owner = connect('postgres', 'test owner')
    const owned = owner.unsafe(endless).then(String, ({ code }) => code)
    const ended = /^(57P01|CONNECTION_CLOSED)$/
    const ends = [busy.unsafe('SELECT pg_sleep(1000)'), reading.unsafe(endless)].map((query) =>
      query.then(String, ({ code }) => code),
    )
    await expect.poll(sessions).toHaveLength(6)

    const registry = new Registry()
    keep({ registry })
    expect(await Promise.all(ends)).toEqual([expect.stringMatching(ended), expect.stringMatching(ended)])
    await expect.poll(sessions).toEqual(['test owner', 'test pooled'])
    expect(lines.map((line) => line.replace(/\d+/g, 'N')).sort()).toEqual([
      'session N of market_analyst ended: active for N s',
      'session N of market_analyst ended: idle for N s',
      'session N of market_analyst ended: idle in transaction for N s',
      'session N of market_reader ended: active for N s',
    ])
    const text = await registry.metrics()
    for (const line of [
      'taskmarket_standby_answering 1',
      'taskmarket_standby_streaming 1',
      'taskmarket_standby_ended_sessions_total{login="market_analyst",how="asked"} 3',
      'taskmarket_standby_ended_sessions_total{login="market_reader",how="asked"} 1',
    ])
      expect(text.split('\n')).toContain(line)
    // An idle primary commits nothing: what it last committed may be old, and the standby lacks nothing.
    expect(text).toMatch(/^taskmarket_standby_replay_lag_seconds (0|0?\.\d+)$/m)
    expect(text).toMatch(/^taskmarket_disk_free_bytes\{area="standby"\} \d+$/m)
    await superuser`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'test owner'`
    expect(await owned).toBe('57014')
  })

  test('when one cannot be interrupted, then it is killed, the standby answers again, and the primary notices nothing', async () => {
    const [before] = await primary`SELECT pg_backend_pid() AS pid`
    const analyst = connect('market_analyst', 'test stubborn')
    await analyst`SET statement_timeout = 0`
    const ended = analyst.unsafe(uninterruptible).then(String, ({ code }) => code)
    await expect.poll(sessions).toEqual(['test stubborn'])

    keep({ killAfterMs: 200 })
    expect(await ended).toBe('CONNECTION_CLOSED')
    expect(lines.filter((line) => line.startsWith('session')).map((line) => line.replace(/\d+/, 'N'))).toEqual([
      expect.stringMatching(/^session N of market_analyst ended: active for \d+ s$/),
      'session N of market_analyst killed: it did not end in 0.2 s; the standby starts again',
    ])
    const answer = () => connect('market_analyst', 'test after')`SELECT 1 AS one`.then(String, () => null)
    await expect.poll(answer).not.toBeNull()
    await primary`INSERT INTO market.task VALUES ('written')`
    await standby.replayed()
    expect(await primary`SELECT pg_backend_pid() AS pid`).toEqual([before])
    // It has survived too.
    await expect.poll(() => lines.at(-1)).toMatch(/^(session|the standby answers)/)
  })

  test('then they have the lowest priority and leave a processor free, and the replay has its own', async () => {
    keep({ limits: [{ login: 'market_analyst', busySeconds: 60, idleSeconds: 60 }] })
    const [session] = await connect('market_analyst', 'test slow')`SELECT pg_backend_pid() AS pid`
    await expect.poll(() => getPriority(session?.pid)).toBe(constants.priority.PRIORITY_LOW)
    const [replay] = await superuser`SELECT pid FROM pg_stat_activity WHERE backend_type = 'startup'`
    expect(getPriority(replay?.pid)).toBe(getPriority())
    const processorsOf = (pid: unknown) =>
      readFileSync(`/proc/${pid}/status`, 'utf8').match(/Cpus_allowed_list:\s*(\S+)/)?.[1]
    const own = processorsOf('self')
    await expect.poll(() => processorsOf(session?.pid)).toBe(processorsOfStrangers() ?? own)
    expect(processorsOf(replay?.pid)).toBe(own)
  })

  test('when an export has paused the replay, then it goes on once its session is gone, or too old', async () => {
    const state = async () => (await superuser`SELECT pg_get_wal_replay_pause_state() AS state`)[0]?.state
    for (const seconds of [60, 0.3]) {
      const exporter = connect('market_exporter', 'test export')
      await exporter`SELECT pg_wal_replay_pause()`
      await expect.poll(state).toBe('paused')
      keep({ limits: [{ login: 'market_exporter', busySeconds: seconds, idleSeconds: seconds }] })
      if (seconds > 1) await disconnect()
      await expect.poll(state).toBe('not paused')
      await keeper?.stop()
    }
    const events = lines.filter((line) => /^(replay|session)/.test(line))
    expect(events.map((line) => line.replace(/\d+/g, 'N'))).toEqual([
      'replay resumed: the export that had paused it is gone',
      'session N of market_exporter ended: idle for N s',
      'replay resumed: the export that had paused it is gone',
    ])
  })

  test('when analysts have taken all their connections, then the keeper still gets in and frees them', async () => {
    const all = Array.from({ length: 20 }, (_, index) => connect('market_analyst', `test slot ${index}`))
    await Promise.all(all.map((sql) => sql`SET idle_session_timeout = 0`))
    const late = connect('market_analyst', 'test late')
    await expect(late`SELECT 1`).rejects.toMatchObject({ code: '53300' })
    keep()
    await expect.poll(() => late`SELECT 1 AS one`.then(String, () => null)).not.toBeNull()
  })
})

describe('given the login of analysts, used to harm', () => {
  test('then what it may not do is refused, and what it may set harms its own session', async () => {
    const analyst = connect('market_analyst', 'test hostile')
    for (const [statement, code] of [
      ["SELECT set_config('statement_timeout', '0', false)", null],
      ["SET work_mem = '2GB'", null],
      ['SET transaction_read_only = off', '0A000'],
      ['SET temp_file_limit = -1', '42501'],
      ['CREATE TEMP TABLE hostile (id int)', '25006'],
      ["INSERT INTO market.task VALUES ('hostile')", '25006'],
      ["SET log_min_messages = 'debug5'", '42501'],
      ['SET session_replication_role = replica', '42501'],
      ['SET ROLE market_service', '42501'],
      ['SET SESSION AUTHORIZATION postgres', '42501'],
      ['SELECT * FROM market.task FOR UPDATE', '25006'],
      ['LOCK TABLE market.task IN ACCESS EXCLUSIVE MODE', '25006'],
      ['NOTIFY hostile', '25006'],
      ['LISTEN hostile', '25006'],
      ["SELECT pg_notify('hostile', '')", '42501'],
      ['SELECT pg_advisory_lock(g) FROM generate_series(1, 1000000) AS g', '42501'],
      ["SELECT pg_logical_emit_message(false, 'hostile', 'text')", '42501'],
      ['SELECT pg_terminate_backend(pid) FROM pg_stat_activity', '42501'],
      ['SELECT lo_create(0)', '42501'],
      ["DO 'BEGIN LOOP END LOOP; END'", '42501'],
      ['CREATE FUNCTION hostile() RETURNS int RETURN 1', '25006'],
      ['CREATE EXTENSION dblink', '25006'],
      ["LOAD 'pg_prewarm'", '42501'],
      ["COPY (SELECT 1) TO PROGRAM 'true'", '42501'],
      ["COPY (SELECT 1) TO '/tmp/hostile'", '42501'],
      ["COPY market.task FROM PROGRAM 'true'", '25006'],
      ["SELECT pg_read_file('postgresql.auto.conf')", '42501'],
      ["SELECT pg_ls_dir('.')", '42501'],
      ["SELECT lo_import('/etc/passwd')", '42501'],
      ["SELECT pg_create_physical_replication_slot('hostile', true)", '42501'],
      ['SELECT pg_reload_conf()', '42501'],
      ['SELECT pg_stat_reset()', '42501'],
      ['SELECT pg_wal_replay_pause()', '42501'],
      ['SELECT pg_promote()', '42501'],
      ["ALTER ROLE market_analyst SET work_mem = '1GB'", '25006'],
      ['SELECT * FROM service.intents', '42501'],
      ['SELECT * FROM pg_authid', '42501'],
      // The bound of a process's memory, and other sessions go on.
      ["SELECT length(string_agg(repeat('x', 1000000), '')) FROM generate_series(1, 900)", '53200'],
    ] as const) {
      const refusal = await analyst.unsafe(statement).then(
        () => null,
        ({ code }) => code,
      )
      expect([statement, refusal]).toEqual([statement, code])
    }
    expect(await analyst`SELECT setting FROM pg_settings WHERE name = 'primary_conninfo'`).toEqual([])
    expect([...(await analyst`SELECT conninfo FROM pg_stat_wal_receiver`)]).toEqual([{ conninfo: null }])
  })

  test('when it holds a snapshot and locks, then the primary holds nothing back, and the replay goes on after its delay', async () => {
    const analyst = connect('market_analyst', 'test holding')
    await analyst.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM market.task')
    expect(await sessions()).toEqual(['test holding'])
    await primary.unsafe(`
      DELETE FROM market.task;
      INSERT INTO market.task VALUES ('later')`)
    await primary`ALTER TABLE market.task ADD COLUMN later int`
    await standby.replayed()
    await expect.poll(sessions).toEqual([])
    expect(await primary`SELECT slot_name FROM pg_replication_slots`).toEqual([])
    const senders = await primary`
      SELECT usename AS login, state, backend_xmin AS xmin FROM pg_stat_replication`
    expect([...senders]).toEqual([{ login: 'market_replica', state: 'streaming', xmin: null }])
  })
})

describe('given a server that is no standby', () => {
  test('when the keeper is led to a primary, then it ends no session there and says so', async () => {
    const reader = postgres(loginUrl(primaryUrl, 'market_reader'), { max: 1, fetch_types: false, onnotice: () => {} })
    const answer = reader.unsafe(endless).then(String, ({ code }) => code)
    const isBusy = async () =>
      (
        await primary`
      SELECT FROM pg_stat_activity WHERE usename = 'market_reader' AND state = 'active'`
      ).length
    await expect.poll(isBusy).toBe(1)
    const limits = [{ login: 'market_reader', busySeconds: 0, idleSeconds: 0 }]
    expect(await endOverdueSessions(primary, limits)).toEqual([])
    keep({ url: primaryUrl, limits })
    await expect.poll(() => lines).toEqual(['the server is no standby: no session is ended there'])
    expect(await isBusy()).toBe(1)
    await primary`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'market_reader'`
    expect(await answer).toBe('57014')
    await reader.end()
  })

  test('when the standby is promoted, then analysts are refused, and the keeper ends no session of it any more', async () => {
    await standby.promote()
    await expect(connect('market_analyst', 'test promoted')`SELECT 1`).rejects.toMatchObject({
      code: '42501',
      message: 'market_analyst may log in at a standby only',
    })
    keep()
    await expect.poll(() => lines).toEqual(['the server is no standby: no session is ended there'])
  })
})
