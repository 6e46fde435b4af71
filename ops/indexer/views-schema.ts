import { createHash } from 'node:crypto'
import postgres from 'postgres'
import { dropAnalytics, makeAnalytics } from './analytics.ts'
import { claimGeneration } from './generation.ts'
import { headFunction, moveHeadTrigger } from './head-trigger.ts'
import { ledgerQuery } from './ledger-query.ts'
import { beginRecovery, endRecovery } from './recovery.ts'
import { findServedViews, storeServedViews } from './served-views.ts'
import { describeViews, viewTexts } from './view-texts.ts'
import { NotYet, retryOnLockTimeout } from './wait-for-locks.ts'

/** The schema that the service and analysts read: one view per table or view of the served deployment. */
const viewsSchema = 'market'

/** A table of deployments with a ledger. */
const ledgerTable = 'arrival'

/** Postgres error code. */
const invalidTableDefinition = '42P16'

/**
 * The oldest data version (api/db/data-version.ts) of a service that may read the views. A release raises it to its own version
 * if a service of the release before would misread the rows: a column that it reads is gone or has another meaning. A new column
 * or table does not raise it.
 */
export const OLDEST_VERSION = 1

/** The data version of views from a release without `market_index.served_views`. */
const VERSION_WITHOUT_TABLE = 1

/** Reads the deployment that the views show; null: there are no views yet. */
export async function findServedSchema(sql: postgres.Sql): Promise<string | null> {
  const rows = await sql<{ tableSchema: string }[]>`
    SELECT table_schema AS "tableSchema" FROM information_schema.view_table_usage
    WHERE view_schema = ${viewsSchema} AND view_name = 'indexed_head' LIMIT 1`
  return rows[0]?.tableSchema ?? null
}

/** The rows to serve. */
export interface Served {
  /** Generation of the rows. Default 0. */
  generation?: number
  /** Oldest data version of a service that may read them. Default: that of this release. */
  oldestVersion?: number
  /** Time for the rows to reach the height of the served ones, milliseconds, so that the height does not fall. Default 0. */
  mayCatchUpMs?: number
}

/**
 * Switches every view of `market` to the table of `schema` in one transaction: readers see the old deployment or the new one. A
 * view with unchanged columns is replaced in place and keeps its grants. If the previous views allowed older services, these
 * first read that no rows are ready, so that none reads new rows before their version. The views of `analytics`, which read those
 * of `market`, are created again.
 * @returns a sentence for each view of `analytics` that is left out, because the deployment lacks a table or column that it reads
 * @throws if a newer generation is served, if other objects depend on a view that must be dropped, or if a view is read without a
 * pause for two minutes; nothing is changed then
 */
export async function serveSchema(sql: postgres.Sql, schema: string, served: Served = {}): Promise<string[]> {
  const next = { generation: 0, oldestVersion: OLDEST_VERSION, mayCatchUpMs: 0, ...served }
  const before = (await findServedViews(sql))?.oldestVersion ?? VERSION_WITHOUT_TABLE
  const announced = before < next.oldestVersion ? await findServedSchema(sql) : null
  if (announced !== null) await beginRecovery(sql, announced)
  try {
    return await replaceViews(sql, schema, next)
  } finally {
    if (announced !== null) await endRecovery(sql, announced)
  }
}

/**
 * Replaces the views. They stay if they match their current sources, with all their columns and the trigger, so that a restart of
 * the indexer waits for no reader. A table of the indexer has the hash of their sources.
 */
async function replaceViews(
  sql: postgres.Sql,
  schema: string,
  { generation, oldestVersion, mayCatchUpMs }: Required<Served>,
): Promise<string[]> {
  const tables = await listTables(sql, schema)
  const headQuery = indexedHeadQuery(schema, oldestVersion)
  const madeFrom = hashOf(schema, tables, headQuery)
  if ((await findServedViews(sql))?.madeFrom === madeFrom && (await isComplete(sql, schema))) return []
  let leftOut: string[] = []
  const movesAt = performance.now() + mayCatchUpMs
  await retryOnLockTimeout(sql, async (transaction) => {
    await transaction`SET LOCAL client_min_messages = warning`
    await createViewsSchema(transaction)
    await claimGeneration(transaction, generation)
    await dropAnalytics(transaction)
    await lockViews(transaction)
    if (performance.now() < movesAt && (await isBehind(transaction, schema))) throw new NotYet()
    for (const table of tables) await replaceView(transaction, table, viewQuery(schema, table))
    await replaceView(transaction, 'indexed_head', headQuery)
    const views = [...tables, 'indexed_head']
    if (tables.includes(ledgerTable)) {
      await transaction`SELECT set_config('search_path', ${schema}, true)`
      await replaceView(transaction, 'ledger', ledgerQuery)
      views.push('ledger')
    }
    await dropOtherViews(transaction, views)
    await describeViews(transaction)
    await grantReads(transaction)
    leftOut = await makeAnalytics(transaction)
    await moveHeadTrigger(transaction, schema)
    await storeServedViews(transaction, { madeFrom, oldestVersion })
  })
  return leftOut
}

/**
 * Locks every view before one is replaced, which is impossible while a statement reads it. The head is first, because all
 * transactions of the services read it first. A new reader waits there without holding another view; a reader with a view ends,
 * because its next views are free.
 */
async function lockViews(sql: postgres.TransactionSql): Promise<void> {
  const views = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = ${viewsSchema}::regnamespace AND relkind = 'v' ORDER BY relname <> 'indexed_head', relname`
  // `LOCK TABLE` would lock the tables below too, which Ponder writes. One message admits no reader in between.
  await sql.unsafe(views.map(({ name }) => `ALTER VIEW "${viewsSchema}"."${name}" RESET (check_option)`).join(';'))
}

/**
 * Returns true if the rows are of a lower block than the served ones. No reader sees a later one under the locks of the views.
 */
async function isBehind(sql: postgres.TransactionSql, schema: string): Promise<boolean> {
  const [view] = await sql`SELECT to_regclass(${`${viewsSchema}.indexed_head`}) IS NOT NULL AS exists`
  if (view?.exists !== true) return false
  const [row] = await sql`
    SELECT max(substr(latest_checkpoint, 27, 16)::bigint) < (SELECT max(block_number) FROM market.indexed_head) AS "isBehind"
    FROM ${sql(schema)}._ponder_checkpoint`
  return row?.isBehind === true
}

/**
 * Grants reads to the logins that may enter the schema. Its default privileges do the same for new views. But a login can remove
 * itself from them (`DROP OWNED BY` itself), which would show only at the next deployment.
 */
async function grantReads(sql: postgres.TransactionSql): Promise<void> {
  const roles = await sql<{ name: string }[]>`
    SELECT rolname AS name FROM pg_roles
    WHERE rolname IN ('market_service', 'market_reader') AND has_schema_privilege(rolname, ${viewsSchema}, 'USAGE')`
  for (const { name } of roles) {
    await sql`GRANT SELECT ON ALL TABLES IN SCHEMA ${sql(viewsSchema)} TO ${sql(name)}`
  }
}

function hashOf(schema: string, tables: string[], headQuery: string): string {
  const views = tables.map((table) => viewQuery(schema, table))
  const text = [schema, ...tables, ...views, headQuery, ledgerQuery, headFunction, viewTexts].join('\n')
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Returns true if every table has its view, which reads this table alone with its columns in order, the checkpoint has the one
 * trigger, and head and ledger (if any) read this deployment.
 */
async function isComplete(sql: postgres.Sql, schema: string): Promise<boolean> {
  const [row] = await sql<{ isComplete: boolean }[]>`
    WITH columns AS (
      SELECT relation.oid, relation.relnamespace::regnamespace::text AS schema, relation.relname AS name,
             array_agg(attribute.attname ORDER BY attribute.attnum) AS names
      FROM pg_class AS relation
      JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
      WHERE relation.relnamespace IN (to_regnamespace(${schema}), to_regnamespace(${viewsSchema}))
        AND relation.relkind IN ('r', 'v') AND attribute.attnum > 0 AND NOT attribute.attisdropped
      GROUP BY 1, 2, 3
    ), reads AS (
      SELECT rule.ev_class AS view, array_agg(DISTINCT used.refobjid) AS tables
      FROM pg_rewrite AS rule
      JOIN pg_depend AS used ON used.classid = 'pg_rewrite'::regclass AND used.objid = rule.oid
        AND used.refclassid = 'pg_class'::regclass AND used.refobjid <> rule.ev_class
      GROUP BY 1
    )
    SELECT NOT EXISTS (
             SELECT FROM columns AS source
             WHERE source.schema = ${schema} AND NOT starts_with(source.name, '_') AND NOT EXISTS (
               SELECT FROM columns AS shown JOIN reads ON reads.view = shown.oid
               WHERE shown.schema = ${viewsSchema} AND shown.name = source.name
                 AND shown.names = CASE source.name WHEN 'task' THEN ${rowVersion}::name || source.names ELSE source.names END
                 AND reads.tables = ARRAY[source.oid]
             )
           )
           AND to_regclass(${`${schema}._ponder_checkpoint`}) = ANY (
             (SELECT tables FROM reads WHERE reads.view = to_regclass(${`${viewsSchema}.indexed_head`}))::regclass[]
           )
           AND (
             to_regclass(${`${schema}.${ledgerTable}`}) IS NULL
             OR to_regclass(${`${schema}.${ledgerTable}`}) = ANY (
               (SELECT tables FROM reads WHERE reads.view = to_regclass(${`${viewsSchema}.ledger`}))::regclass[]
             )
           )
           AND EXISTS (
             SELECT FROM pg_trigger
             WHERE tgname = 'notify_head' AND tgrelid = to_regclass(${`${schema}._ponder_checkpoint`})
           ) AS "isComplete"`
  return row?.isComplete === true
}

/** `IF NOT EXISTS` requires the right to create a schema even if it exists. */
async function createViewsSchema(sql: postgres.TransactionSql): Promise<void> {
  const [schema] = await sql`SELECT to_regnamespace(${viewsSchema}) IS NOT NULL AS exists`
  if (schema?.exists !== true) await sql`CREATE SCHEMA ${sql(viewsSchema)}`
}

/**
 * Ponder's checkpoint is 75 digits: time (10), chain (16), block (16), transaction (16), kind (1), log (16).
 * `ready` is false while a backfill or a recovery is under way: rows may then be missing for a moment. `version` is
 * another after every commit of rows, of a reorg too that comes back to the same height and time. `schema_version`
 * names the deployment whose rows these are, and `origin` the run of the server in which they were written (fence.ts). Until they
 * are at `recovers_to`, rows that were there are missing (recovery.ts). A service of a data version below `oldest_version`
 * reads none of them.
 */
function indexedHeadQuery(schema: string, oldestVersion: number): string {
  return `
    SELECT substr(latest_checkpoint, 27, 16)::bigint AS block_number,
           substr(latest_checkpoint, 1, 10)::bigint AS block_timestamp,
           latest_checkpoint::text AS checkpoint,
           (SELECT (value ->> 'is_ready') = '1' FROM "${schema}"._ponder_meta WHERE key = 'app')
             AND (SELECT recovers_to IS NULL FROM "${schema}"._fence) AS ready,
           tableoid::bigint || ':' || xmin::text AS version,
           '${schema}'::text AS schema_version,
           (SELECT origin FROM "${schema}"._fence) AS origin,
           (SELECT recovers_to FROM "${schema}"._fence) AS recovers_to,
           ${oldestVersion} AS oldest_version
    FROM "${schema}"._ponder_checkpoint`
}

/** The column of the view of tasks before those of the table. New columns could not follow behind it. */
const rowVersion = 'row_version'

/**
 * The query of a table's view. A task's `row_version` is another after every change of its row, in a reorg too: each
 * event of a task writes its row, so with the same version the rows of its awards, entries and evaluation are the same.
 */
export function viewQuery(schema: string, table: string): string {
  const version = table === 'task' ? `xmin::text AS ${rowVersion}, ` : ''
  return `SELECT ${version}* FROM "${schema}"."${table}"`
}

async function listTables(sql: postgres.Sql, schema: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = ${schema} AND table_type IN ('BASE TABLE', 'VIEW') AND NOT starts_with(table_name, '_')
    ORDER BY table_name`
  if (rows.length === 0) throw new Error(`the schema ${schema} has no tables to serve`)
  return rows.map((row) => row.name)
}

async function replaceView(sql: postgres.TransactionSql, name: string, query: string): Promise<void> {
  const view = `"${viewsSchema}"."${name}"`
  try {
    await sql.savepoint((inner) => inner.unsafe(`CREATE OR REPLACE VIEW ${view} AS ${query}`))
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== invalidTableDefinition) throw error
    // Postgres replaces a view only by one with the same columns and more, so another list requires a new view.
    await sql.unsafe(`DROP VIEW IF EXISTS ${view}`)
    await sql.unsafe(`CREATE VIEW ${view} AS ${query}`)
  }
}

async function dropOtherViews(sql: postgres.TransactionSql, kept: string[]): Promise<void> {
  const others = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.views
    WHERE table_schema = ${viewsSchema} AND table_name <> ALL(${kept})`
  for (const { name } of others) await sql`DROP VIEW ${sql(viewsSchema)}.${sql(name)}`
}
