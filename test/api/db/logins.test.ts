import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { applyLogins, type DatabaseLogins, loginUrl, openLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

/** Volatile functions that the script leaves to a reader: they change nothing and reveal nothing of others. */
const volatileFunctionsOfReader = [
  'array_sample(anyarray,integer)',
  'array_shuffle(anyarray)',
  'clock_timestamp()',
  'currval(regclass)',
  'gen_random_uuid()',
  'lastval()',
  'pg_is_in_recovery()',
  'random()',
  'random(bigint,bigint)',
  'random(integer,integer)',
  'random(numeric,numeric)',
  'random_normal(double precision,double precision)',
  'setseed(double precision)',
  'timeofday()',
  'uuidv4()',
  'uuidv7()',
  'uuidv7(interval)',
]

/** Other functions about the server that stay executable. */
const serverFunctionsOfReader = [
  'pg_backend_pid()',
  'pg_char_to_encoding(name)',
  'pg_client_encoding()',
  'pg_collation_for("any")',
  'pg_column_is_updatable(regclass,smallint,boolean)',
  'pg_column_size("any")',
  'pg_encoding_to_char(integer)',
  'pg_function_is_visible(oid)',
  'pg_get_constraintdef(oid)',
  'pg_get_constraintdef(oid,boolean)',
  'pg_get_expr(pg_node_tree,oid)',
  'pg_get_expr(pg_node_tree,oid,boolean)',
  'pg_get_indexdef(oid)',
  'pg_get_indexdef(oid,integer,boolean)',
  'pg_get_userbyid(oid)',
  'pg_get_viewdef(oid)',
  'pg_get_viewdef(oid,boolean)',
  'pg_get_viewdef(oid,integer)',
  'pg_get_viewdef(text)',
  'pg_get_viewdef(text,boolean)',
  'pg_has_role(name,name,text)',
  'pg_has_role(name,oid,text)',
  'pg_has_role(name,text)',
  'pg_has_role(oid,name,text)',
  'pg_has_role(oid,oid,text)',
  'pg_has_role(oid,text)',
  'pg_input_error_info(text,text)',
  'pg_input_is_valid(text,text)',
  'pg_is_other_temp_schema(oid)',
  'pg_my_temp_schema()',
  'pg_relation_is_updatable(regclass,boolean)',
  'pg_size_bytes(text)',
  'pg_size_pretty(bigint)',
  'pg_size_pretty(numeric)',
  'pg_table_is_visible(oid)',
  'pg_type_is_visible(oid)',
  'pg_typeof("any")',
]

let database: TestDatabase
let logins: DatabaseLogins
let superuser: postgres.Sql
const opened: postgres.Sql[] = []

function connect(url: string): postgres.Sql {
  // The driver's own query of pg_type is denied to a reader.
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: url === database.url })
  opened.push(sql)
  return sql
}

beforeAll(async () => {
  database = await createTestDatabase()
  superuser = connect(database.url)
  // As in the version before the logins: a superuser owns everything.
  await superuser.unsafe(`
    CREATE SCHEMA service;
    CREATE TABLE service.intents (id bigserial PRIMARY KEY, texts text);
    CREATE FUNCTION service.noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER noted BEFORE INSERT ON service.intents FOR EACH ROW EXECUTE FUNCTION service.noted();
    INSERT INTO service.intents (texts) VALUES ('private');
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.blocks (number bigint);
    CREATE SCHEMA idx_0123456789abcdef;
    CREATE TYPE idx_0123456789abcdef.kind AS ENUM ('a', 'b');
    CREATE TABLE idx_0123456789abcdef.task (id text PRIMARY KEY, kind idx_0123456789abcdef.kind);
    INSERT INTO idx_0123456789abcdef.task VALUES ('one', 'a');
    CREATE SCHEMA market;
    CREATE VIEW market.task AS SELECT * FROM idx_0123456789abcdef.task;
    CREATE SCHEMA elsewhere;
    CREATE TABLE elsewhere.private (id int)`)
  logins = await openLogins(database.url, { isOwnServer: true })
})

afterAll(async () => {
  for (const sql of opened) await sql.end()
  await database.drop()
})

async function refusalOf(sql: postgres.Sql, statement: string): Promise<string | null> {
  try {
    await sql.unsafe(statement)
    return null
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error
    return error.code
  }
}

async function expectDenied(sql: postgres.Sql, statements: string[]): Promise<void> {
  for (const statement of statements) expect([statement, await refusalOf(sql, statement)]).toEqual([statement, '42501'])
}

describe('given a database whose objects belong to a superuser, when the script has run', () => {
  test('then each schema, and each object in it, has the owner that writes it', async () => {
    const owners = await superuser`
      SELECT nspname AS name, pg_get_userbyid(nspowner) AS owner FROM pg_namespace
      WHERE nspname IN ('service', 'analytics', 'market', 'ponder_sync', 'idx_0123456789abcdef', 'elsewhere') ORDER BY 1`
    expect(owners.map(({ name, owner }) => `${name} ${owner}`)).toEqual([
      'analytics market_service',
      'elsewhere postgres',
      'idx_0123456789abcdef market_indexer',
      'market market_indexer',
      'ponder_sync market_indexer',
      'service market_service',
    ])
    const left = await superuser`
      SELECT oid::regclass::text AS name FROM pg_class
      WHERE relnamespace IN ('service'::regnamespace, 'market'::regnamespace, 'idx_0123456789abcdef'::regnamespace)
        AND pg_get_userbyid(relowner) NOT IN ('market_indexer', 'market_service')
      UNION ALL SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = 'service'::regnamespace AND pg_get_userbyid(proowner) <> 'market_service'
      UNION ALL SELECT oid::regtype::text FROM pg_type
      WHERE typnamespace = 'idx_0123456789abcdef'::regnamespace AND pg_get_userbyid(typowner) <> 'market_indexer'`
    expect(left).toEqual([])
  })

  test('then the service writes its schema, reads the views and has no other privilege', async () => {
    const service = connect(logins.serviceUrl)
    await service`INSERT INTO service.intents (texts) VALUES ('another')`
    expect(await service`SELECT id FROM market.task`).toEqual([{ id: 'one' }])
    await service`SELECT pg_advisory_xact_lock(1), pg_notify('service_outbox', 'x')`
    await expectDenied(service, [
      'DELETE FROM market.task',
      'SELECT * FROM idx_0123456789abcdef.task',
      'CREATE TABLE market.more (id int)',
      'CREATE SCHEMA more',
      'CREATE TABLE public.more (id int)',
      'CREATE TEMP TABLE more (id int)',
      'CREATE ROLE more',
      "COPY service.intents TO PROGRAM 'true'",
      "SELECT pg_read_file('/etc/passwd')",
    ])
  })

  test('then the indexer writes its schemas, creates new ones, and cannot read the service’s', async () => {
    const indexer = connect(logins.indexerUrl)
    await indexer`CREATE SCHEMA idx_fedcba9876543210`
    await indexer`CREATE TEMP TABLE scratch (id int)`
    await indexer`INSERT INTO ponder_sync.blocks VALUES (1)`
    await expectDenied(indexer, [
      'SELECT * FROM service.intents',
      'CREATE TABLE service.more (id int)',
      'SELECT * FROM elsewhere.private',
      'CREATE ROLE more',
      'CREATE DATABASE more',
    ])
  })

  test('then the reader reads the current views and later ones, and nothing else', async () => {
    const reader = connect(logins.readerUrl ?? '')
    const indexer = connect(logins.indexerUrl)
    expect(await reader`SELECT id FROM task`).toEqual([{ id: 'one' }])
    await indexer`DROP VIEW market.task`
    await indexer`CREATE VIEW market.task AS SELECT id FROM idx_0123456789abcdef.task`
    await indexer`CREATE VIEW market.later AS SELECT kind FROM idx_0123456789abcdef.task`
    expect(await reader`SELECT task.id, kind FROM market.task, market.later`).toEqual([{ id: 'one', kind: 'a' }])
    await expectDenied(reader, [
      'SELECT * FROM service.intents',
      'SELECT * FROM idx_0123456789abcdef.task',
      'SELECT * FROM ponder_sync.blocks',
      'SELECT * FROM elsewhere.private',
      'SELECT * FROM pg_stat_user_tables',
      'SELECT * FROM pg_stat_activity',
      "SELECT pg_total_relation_size('service.intents')",
      "DO 'BEGIN LOOP END LOOP; END'",
      'SET ROLE market_service',
      'SET SESSION AUTHORIZATION market_service',
      'SELECT subname FROM pg_subscription',
      // How many transactions the server has begun, those of the service among them.
      "SELECT age('3'::xid)",
      "SELECT mxid_age('1'::xid)",
      'SET temp_file_limit = -1',
      "SET log_min_messages = 'debug5'",
    ])
    // A failing statement of any length would be written to the log of the server.
    expect([...(await reader`SHOW log_min_error_statement`)]).toEqual([{ log_min_error_statement: 'panic' }])
    expect([...(await reader`SHOW log_min_messages`)]).toEqual([{ log_min_messages: 'panic' }])
  })

  test('then running it again restores what the reader changed about itself', async () => {
    const reader = postgres(logins.readerUrl ?? '', { max: 1, fetch_types: false, onnotice: () => {} })
    await reader`SET default_transaction_read_only = off`
    await reader`ALTER ROLE market_reader SET transform_null_equals = on`
    await reader.end()
    await applyLogins(database.url)
    const again = connect(logins.readerUrl ?? '')
    expect([...(await again`SHOW transform_null_equals`)]).toEqual([{ transform_null_equals: 'off' }])
    expect([...(await again`SHOW default_transaction_read_only`)]).toEqual([{ default_transaction_read_only: 'on' }])
  })

  test('then running it again changes nothing', async () => {
    const before = await rightsOf(superuser)
    await applyLogins(database.url)
    expect(await rightsOf(superuser)).toEqual(before)
  })
})

describe('given the logins of a standby', () => {
  test('then one reads the log and may do nothing else, and the other has twenty plain sessions', async () => {
    const roles = await superuser`
      SELECT rolname AS name, rolreplication AS replication, rolconnlimit AS sessions,
        rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls AS more,
        has_database_privilege(rolname, current_database(), 'CONNECT') AS connects,
        has_database_privilege(rolname, current_database(), 'TEMP') AS temporary
      FROM pg_roles WHERE rolname IN ('market_replica', 'market_analyst') ORDER BY 1`
    expect([...roles]).toEqual([
      { name: 'market_analyst', replication: false, sessions: 20, more: false, connects: true, temporary: false },
      { name: 'market_replica', replication: true, sessions: -1, more: false, connects: false, temporary: false },
    ])
  })

  test('then the logins of analysts and exports are refused at the primary, by a trigger that raises for no other', async () => {
    for (const login of ['market_analyst', 'market_exporter'] as const) {
      await expect(connect(loginUrl(database.url, login))`SELECT 1`).rejects.toMatchObject({
        code: '42501',
        message: `${login} may log in at a standby only`,
      })
    }
    const triggers = await superuser`
      SELECT evtevent AS event, evtenabled AS enabled, pg_get_userbyid(evtowner) AS owner,
        has_schema_privilege('market_service', 'logins', 'USAGE, CREATE') AS others
      FROM pg_event_trigger`
    expect([...triggers]).toEqual([{ event: 'login', enabled: 'A', owner: 'postgres', others: false }])
  })

  test('then analysts read market, analytics and the catalogs, later views too, and nothing else', async () => {
    await connect(logins.serviceUrl)`CREATE VIEW analytics.later AS SELECT 1 AS one`
    const mayRead = async (name: string) => {
      const [row] = await superuser`SELECT has_table_privilege('market_analyst', ${name}, 'SELECT') AS may`
      return row?.may
    }
    for (const name of ['market.task', 'analytics.later', 'pg_class', 'pg_stats', 'information_schema.columns']) {
      expect([name, await mayRead(name)]).toEqual([name, true])
    }
    for (const name of ['service.intents', 'idx_0123456789abcdef.task', 'ponder_sync.blocks', 'pg_authid']) {
      expect([name, await mayRead(name)]).toEqual([name, false])
    }
    const schemas = await superuser`
      SELECT nspname AS name FROM pg_namespace WHERE has_schema_privilege('market_analyst', oid, 'USAGE') ORDER BY 1`
    expect(schemas.map(({ name }) => name)).toEqual([
      'analytics',
      'information_schema',
      'market',
      'pg_catalog',
      'public',
    ])
  })

  test('then analysts may execute what others may, but for locks, notifications, large objects and ends of sessions', async () => {
    const rows = await superuser`
      SELECT DISTINCT proname AS name FROM pg_proc
      WHERE has_function_privilege('market_service', oid, 'EXECUTE')
        AND NOT has_function_privilege('market_analyst', oid, 'EXECUTE') AND pronamespace = 'pg_catalog'::regnamespace`
    const families = rows.map(({ name }) => name.replace(/^lo.*/, 'lo').replace(/_(lock|unlock|xact).*/, ''))
    expect([...new Set(families)].sort()).toEqual([
      'lo',
      'pg_advisory',
      'pg_cancel_backend',
      'pg_logical_emit_message',
      'pg_notify',
      'pg_terminate_backend',
      'pg_try_advisory',
    ])
  })

  test('then exports read market and analytics, and they alone may pause a replay', async () => {
    const [rights] = await superuser`
      SELECT has_table_privilege('market_exporter', 'market.task', 'SELECT') AS rows,
        has_table_privilege('market_exporter', 'service.intents', 'SELECT') AS service`
    expect(rights).toEqual({ rows: true, service: false })
    const pauses = await superuser`
      SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'market%'
        AND has_function_privilege(rolname, 'pg_wal_replay_pause()', 'EXECUTE')`
    expect([...pauses]).toEqual([{ name: 'market_exporter' }])
    const rows = await superuser`
      SELECT oid::regprocedure::text AS name FROM pg_proc
      WHERE has_function_privilege('market_exporter', oid, 'EXECUTE') AND pronamespace = 'pg_catalog'::regnamespace
        AND NOT has_function_privilege('market_reader', oid, 'EXECUTE') ORDER BY 1`
    expect(rows.map(({ name }) => name)).toEqual([
      'pg_get_wal_replay_pause_state()',
      'pg_try_advisory_lock(bigint)',
      'pg_wal_replay_pause()',
      'pg_wal_replay_resume()',
    ])
  })

  test('when the script has no superuser, then it prints the line of pg_hba.conf that refuses analysts', async () => {
    const other = await createTestDatabase()
    const { pathname } = new URL(other.url)
    const name = `creator_${Math.random().toString(36).slice(2)}`
    await superuser.unsafe(`
      CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'creator';
      GRANT market_indexer, market_service, market_reader, market_replica, market_analyst, market_exporter
        TO ${name} WITH ADMIN OPTION;
      ALTER DATABASE ${pathname.slice(1)} OWNER TO ${name}`)
    const url = new URL(other.url)
    url.username = name
    url.password = 'creator'
    const notices: string[] = []
    const creator = postgres(url.href, { max: 1, onnotice: ({ message }) => notices.push(String(message)) })
    try {
      const script = readFileSync('ops/database/logins.sql', 'utf8')
      await creator.begin((transaction) => transaction.unsafe(script))
      expect(notices).toContainEqual(
        `market_analyst and market_exporter may log in at the primary: put this line first into its pg_hba.conf: host ${pathname.slice(1)} market_analyst,market_exporter all reject`,
      )
    } finally {
      await creator.end()
      await other.drop()
      await superuser.unsafe(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
    }
  })
})

describe('the functions that a reader may execute', () => {
  const executable = (condition: string) =>
    superuser.unsafe<{ name: string }[]>(`
    SELECT oid::regprocedure::text AS name FROM pg_proc
    WHERE has_function_privilege('market_reader', oid, 'EXECUTE') AND prokind = 'f'
      -- Nothing of these can be called from a query.
      AND prorettype NOT IN (
        'trigger'::regtype, 'event_trigger'::regtype, 'language_handler'::regtype, 'fdw_handler'::regtype,
        'index_am_handler'::regtype, 'table_am_handler'::regtype, 'tsm_handler'::regtype
      )
      AND NOT proargtypes::oid[] && ARRAY['internal'::regtype::oid]
      AND (${condition})
    ORDER BY 1`)

  test('given the volatile ones, then they are exactly those known to be harmless', async () => {
    const found = await executable("provolatile = 'v'")
    expect(found.map(({ name }) => name)).toEqual(volatileFunctionsOfReader)
  })

  test('given those about the server, then they are exactly those known to be harmless', async () => {
    const found = await executable("provolatile <> 'v' AND (proname ~ '^(pg|txid|lo)_' OR proname ~ '_to_xml')")
    const names = found.map(({ name }) => name).filter((name) => !name.startsWith('pg_node_tree'))
    // Immutable functions of their arguments only.
    const computing = /^pg_(ddl_command|lsn|mcv_list|ndistinct|dependencies|snapshot|brin|get_keywords)/
    expect(names.filter((name) => !computing.test(name))).toEqual(serverFunctionsOfReader)
  })

  test('given those of operators, then none is volatile', async () => {
    const volatile = await superuser`
      SELECT oid FROM pg_operator WHERE oprcode IN (SELECT oid FROM pg_proc WHERE provolatile = 'v')`
    expect(volatile).toEqual([])
  })
})

describe('given a managed server', () => {
  test('when its login may not create roles, then everything runs on that login and nothing is changed', async () => {
    const name = `plain_${Math.random().toString(36).slice(2)}`
    await superuser.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'plain'`)
    const other = await createTestDatabase()
    const url = new URL(other.url)
    url.username = name
    url.password = 'plain'
    try {
      const opened = await openLogins(url.href, { isOwnServer: false })
      expect(opened).toEqual({
        indexerUrl: url.href,
        serviceUrl: url.href,
        readerUrl: null,
        limitation: 'this database login may not create roles',
      })
      const sql = connect(other.url)
      expect(await sql`SELECT to_regnamespace('service') AS found`).toEqual([{ found: null }])
      await sql.end()
    } finally {
      await other.drop()
      await superuser.unsafe(`DROP ROLE ${name}`)
    }
  })

  test('when it has such logins with other passwords, then these stay and everything runs on the one login', async () => {
    const other = await createTestDatabase()
    const url = new URL(other.url)
    // The same superuser with another password: the derived ones differ.
    await superuser.unsafe("CREATE ROLE another_superuser SUPERUSER LOGIN PASSWORD 'another'")
    url.username = 'another_superuser'
    url.password = 'another'
    try {
      const opened = await openLogins(url.href, { isOwnServer: false })
      expect(opened.limitation).toMatch(/^the server has a login market_\w+ with a password of its own$/)
      expect(opened.readerUrl).toBeNull()
      expect(await connect(logins.readerUrl ?? '')`SELECT 1 AS one`).toEqual([{ one: 1 }])
    } finally {
      await other.drop()
      await superuser.unsafe('DROP ROLE another_superuser')
    }
  })
})

test('given our own server, then the logins enter only databases that were prepared', async () => {
  for (const name of ['postgres', 'template1']) {
    const url = new URL(logins.readerUrl ?? '')
    url.pathname = `/${name}`
    expect(await refusalOf(connect(url.href), 'SELECT 1')).toBe('42501')
  }
})

test('given the password in a URL, then those of the logins are derived from it and reveal nothing of it', () => {
  const url = inject('postgresUrl')
  const reader = new URL(loginUrl(url, 'market_reader'))
  expect(loginUrl(url, 'market_reader')).toBe(reader.href)
  expect(reader.password).toMatch(/^[0-9a-f]{32}$/)
  expect(reader.password).not.toBe(new URL(loginUrl(url, 'market_service')).password)
})

/** Every privilege that the script grants or revokes, as text. */
async function rightsOf(sql: postgres.Sql) {
  const rows = await sql<{ place: string; rights: string[] }[]>`
    SELECT 'function ' || oid::regprocedure AS place, proacl::text[] AS rights FROM pg_proc WHERE proacl IS NOT NULL
    UNION ALL SELECT 'relation ' || oid::regclass, relacl::text[] FROM pg_class WHERE relacl IS NOT NULL
    UNION ALL SELECT 'schema ' || nspname, nspacl::text[] FROM pg_namespace WHERE nspacl IS NOT NULL
    UNION ALL SELECT 'default ' || defaclnamespace::regnamespace, defaclacl::text[] FROM pg_default_acl
    UNION ALL SELECT 'database', datacl::text[] FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 'role ' || rolname, rolconfig || rolconnlimit::text FROM pg_roles
      WHERE rolname IN ('market_reader', 'market_analyst')
    UNION ALL SELECT 'trigger ' || evtname, ARRAY[evtenabled::text, evtfoid::regprocedure::text] FROM pg_event_trigger
    ORDER BY 1`
  return rows.map(({ place, rights }) => [place, ...[...rights].sort()])
}
