import { byDepth } from '../../support/depth.ts'
import { collision } from '../../support/sql/colliding-queries.ts'

/**
 * What becomes of a statement on the reader's own login: an SQL state that begins so, or `rows`, where it is the
 * reader's own business (its data, its settings) and harms no other session.
 */
type Direct = 'rows' | RegExp

export interface HostileStatement {
  text: string
  direct: Direct
}

const denied = /^42501$/
const readOnly = /^(25006|42501)$/
/** Time, memory, temporary files, or a value that is too long. */
const stopped = /^(57014|53\d{3}|5400[01]|XX000|22\d{3}|25P04)$/

/** Doubles a text `levels` times. */
function doubled(levels: number): string {
  return `${'SELECT x || x AS x FROM ('.repeat(levels)}SELECT 'xxxxxxxxxx'::text AS x${') AS q'.repeat(levels)}`
}

/** Takes memory up to a row, then recurses deeply: a process whose stack counts as its memory would be killed. */
function memoryThenStack(rows: number): string {
  return `SELECT cardinality(array_agg(x || g)) AS n, max(CASE WHEN g = ${rows} THEN json_array_length(d::json) END) AS m
    FROM (SELECT string_agg('aaaaaaaaaa', '') AS x FROM generate_series(1, 20000)) AS a,
      (SELECT string_agg('[[[[[[[[[[', '') AS d FROM generate_series(1, 20000)) AS b, generate_series(1, 7000) AS g`
}

function joined(relation: string, times: number): string {
  return Array.from({ length: times }, (_, index) => `${relation} AS t${index}`).join(', ')
}

function statement(text: string, direct: Direct): HostileStatement {
  return { text, direct }
}

/** They end at once, on either door. */
export const quick: readonly HostileStatement[] = [
  // Writes, and ways out of the transaction.
  statement('INSERT INTO market.award SELECT * FROM market.award', readOnly),
  // Refused before the rights are looked at: a column of the view is none of the table.
  statement('INSERT INTO market.task SELECT * FROM market.task', /^(0A000|25006|42501)$/),
  statement("UPDATE market.task SET status = 'cancelled'", readOnly),
  statement('DELETE FROM market.award', readOnly),
  statement('TRUNCATE market.task', readOnly),
  statement('WITH gone AS (DELETE FROM market.award RETURNING *) SELECT * FROM gone', readOnly),
  statement('SELECT * INTO market.copy FROM market.task', readOnly),
  statement('CREATE TABLE market.more (id int)', readOnly),
  statement('CREATE TEMP TABLE more (id int)', readOnly),
  statement('BEGIN READ WRITE; CREATE TEMP TABLE more (id int); COMMIT', denied),
  statement('BEGIN READ WRITE; DELETE FROM market.task; COMMIT', denied),
  statement('CREATE SCHEMA more', readOnly),
  statement('CREATE FUNCTION market.f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$', readOnly),
  statement('CREATE EXTENSION dblink', readOnly),
  statement('DROP VIEW market.task CASCADE', readOnly),
  statement('ALTER TABLE market.task ADD COLUMN more int', readOnly),
  statement('GRANT SELECT ON market.task TO PUBLIC', readOnly),
  // It skips what the login may not maintain, which is everything.
  statement('VACUUM', 'rows'),
  statement('REINDEX DATABASE', /^(42501|25001|25006)$/),
  statement('LOCK TABLE market.task IN ACCESS EXCLUSIVE MODE', /^(25006|42501|25P01)$/),
  statement('SELECT * FROM market.task FOR UPDATE', readOnly),
  // Files and programs.
  statement("COPY market.task TO PROGRAM 'touch /tmp/task-market-was-here'", denied),
  statement("COPY market.task FROM '/etc/passwd'", /^(25006|42501|42809)$/),
  statement("COPY (SELECT 1) TO '/tmp/task-market-was-here'", denied),
  statement("SELECT pg_read_file('/etc/passwd')", denied),
  statement("SELECT pg_ls_dir('/')", denied),
  statement("SELECT lo_import('/etc/passwd')", denied),
  statement('SELECT lo_create(0)', denied),
  statement("SELECT lo_from_bytea(0, '\\x00')", denied),
  statement("LOAD 'auto_explain'", denied),
  // Other connections and logins.
  statement("SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t (one int)", /^42883$/),
  statement('SET ROLE market_service', denied),
  statement('SET SESSION AUTHORIZATION market_service', denied),
  statement('CREATE ROLE more', readOnly),
  statement('ALTER ROLE market_service PASSWORD NULL', readOnly),
  statement('ALTER SYSTEM SET work_mem = 1', /^(42501|25001|25006)$/),
  statement("DO 'BEGIN LOOP END LOOP; END'", denied),
  statement('CALL market.p()', /^(42883|42501)$/),
  // Settings, from inside a SELECT.
  statement("SELECT set_config('transaction_read_only', 'off', false)", denied),
  statement("SELECT set_config('statement_timeout', '0', false)", denied),
  statement("SELECT pg_catalog.set_config('default_transaction_read_only', 'off', false)", denied),
  statement("SELECT (SELECT set_config('search_path', 'service', true)) FROM market.task", denied),
  statement('SET temp_file_limit = -1', denied),
  // Sleep, locks, messages, other sessions.
  statement('SELECT pg_sleep(60)', denied),
  statement("SELECT pg_sleep_for('1 minute')", denied),
  statement('SELECT (60.0).pg_sleep', denied),
  statement('SELECT pg_advisory_lock(g) FROM generate_series(1, 1000000) AS g', denied),
  statement('SELECT pg_try_advisory_lock_shared(1)', denied),
  statement('SELECT pg_advisory_xact_lock(1)', denied),
  statement("SELECT pg_notify('service_outbox', 'spoofed')", denied),
  statement("SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000))", denied),
  statement('SELECT pg_terminate_backend(pid) FROM pg_stat_activity', denied),
  statement('SELECT pg_cancel_backend(1)', denied),
  statement('SELECT pg_export_snapshot()', denied),
  statement('SELECT pg_current_xact_id()', denied),
  statement("SELECT nextval('service.operations')", /^(42P01|42501)$/),
  // SQL from a text.
  statement("SELECT query_to_xml('SELECT * FROM service.intents', true, true, '')", denied),
  statement("SELECT table_to_xml('market.task'::regclass, true, true, '')", denied),
  statement("SELECT database_to_xml(true, true, '')", denied),
  statement("SELECT * FROM ts_stat('SELECT 1')", denied),
  statement("SELECT ts_rewrite('a'::tsquery, 'SELECT 1, 2')", denied),
  // What is not market's.
  statement('SELECT * FROM service.intents', denied),
  statement('TABLE service.uploads', denied),
  statement('SELECT * FROM pg_stat_user_tables', denied),
  statement('SELECT * FROM pg_stat_activity', denied),
  statement('SELECT * FROM pg_locks', denied),
  statement('SELECT * FROM pg_settings', denied),
  statement("SELECT pg_stat_get_live_tuples('service.intents'::regclass)", denied),
  statement("SELECT pg_total_relation_size('service.intents')", denied),
  statement('SELECT t.pg_sleep FROM float8(60) AS t', denied),
  statement("SELECT t.ts_stat FROM text('SELECT 1') AS t", /^(42501|42703|42883)$/),
  statement("SELECT pg_get_functiondef('service.tell_step'::regproc)", /^(42883|42501)$/),
  statement(collision[1], readOnly),
]

/** They build values and sets until something ends them. */
export const heavy: readonly HostileStatement[] = [
  ...byDepth([4150], [4000, 4100, 4150, 4200, 4300]).map((rows) => statement(memoryThenStack(rows), stopped)),
  statement(`SELECT ${Array.from({ length: 20 }, () => "repeat('x', 1000000000)").join(', ')}`, stopped),
  statement(doubled(30), stopped),
  statement(
    "WITH RECURSIVE r(x) AS (SELECT 'x'::text UNION ALL SELECT x || x FROM r) SELECT max(length(x)) FROM r",
    stopped,
  ),
  statement('SELECT array_agg(g) FROM generate_series(1, 1000000) AS g, generate_series(1, 1000) AS h', stopped),
  // Other functions that reach the same limits.
  ...byDepth<HostileStatement[]>(
    [],
    [
      statement("SELECT length(lpad('x', 900000000) || lpad('x', 900000000))", stopped),
      statement("SELECT repeat('x', 500000000)", stopped),
      statement("SELECT format('%900000000s', 'x') || 'y'", stopped),
      statement(`SELECT length(x) FROM (${doubled(30)}) AS q`, stopped),
      statement(`SELECT array_agg(x) FROM (${doubled(24)}) AS q, generate_series(1, 1000)`, stopped),
    ],
  ),
]

/** They compute until the deadline. */
export const slow: readonly HostileStatement[] = [
  statement('WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r', stopped),
  statement(
    'SELECT g FROM generate_series(1, 1000000) AS g, generate_series(1, 1000) AS h ORDER BY md5(g::text)',
    stopped,
  ),
  statement(`SELECT count(*) FROM ${joined('generate_series(1, 1000)', 7)}`, stopped),
  statement(`SELECT count(*) FROM ${joined('(SELECT 1 FROM generate_series(1, 500))', 7)}`, stopped),
]
