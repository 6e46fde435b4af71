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

/**
 * The schema that the service and analysts read. The schema has one view for each table or view of the served
 * deployment.
 */
const viewsSchema = 'market'

/** Name of a table that the view `ledger` reads. A deployment without this table gets no view `ledger`. */
const ledgerTable = 'arrival'

/** PostgreSQL error code of a view replacement that would remove or change columns. */
const invalidTableDefinition = '42P16'

/**
 * The lowest data version (api/db/data-version.ts) of a service that may read the views. A release raises this constant
 * to its own data version if services of the previous release would misread the rows: if a column that these services
 * read was removed, or has another meaning than before. A new column or table needs no change of the constant.
 */
export const OLDEST_VERSION = 1

/** The data version to assume for views of a release that had no table `market_index.served_views`. */
const VERSION_WITHOUT_TABLE = 1

/** Returns the name of the schema that the views show; null if there are no views yet. */
export async function findServedSchema(sql: postgres.Sql): Promise<string | null> {
  const rows = await sql<{ tableSchema: string }[]>`
    SELECT table_schema AS "tableSchema" FROM information_schema.view_table_usage
    WHERE view_schema = ${viewsSchema} AND view_name = 'indexed_head' LIMIT 1`
  return rows[0]?.tableSchema ?? null
}

/** Properties of the rows that the views of `market` will show. */
export interface Served {
  /** Generation number of the rows: how often the whole chain was indexed again to repair the rows. Default 0. */
  generation?: number
  /** Lowest data version of a service that may read the rows. Default: `OLDEST_VERSION` of this release. */
  oldestVersion?: number
  /**
   * Maximum time in milliseconds to wait until the new rows reach the height of the served rows. If the views were
   * switched earlier, readers would see the height fall. Default: 0.
   */
  mayCatchUpMs?: number
}

/**
 * Switches every view of `market` to the tables of `schema` in one transaction, and creates the views of `analytics`
 * again. Readers see either the old deployment or the new one. A view with unchanged columns keeps its grants.
 *
 * If the switch raises the lowest data version, services with a lower version can read the present views, but not the
 * new views. The function then first announces a recovery (recovery.ts), so that the services refuse reads.
 * @returns a sentence for each view of `analytics` that is left out because the deployment lacks a table or column
 * @throws if a newer generation is served, if other objects depend on a view that must be dropped, or if a view is read
 * without a pause for two minutes. Nothing is changed then.
 */
export async function serveSchema(sql: postgres.Sql, schema: string, servedFields: Served = {}): Promise<string[]> {
  const next = { generation: 0, oldestVersion: OLDEST_VERSION, mayCatchUpMs: 0, ...servedFields }
  const before = (await findServedViews(sql))?.oldestVersion ?? VERSION_WITHOUT_TABLE
  const announcedSchema = before < next.oldestVersion ? await findServedSchema(sql) : null
  if (announcedSchema !== null) await beginRecovery(sql, announcedSchema)
  try {
    return await replaceViews(sql, schema, next)
  } finally {
    if (announcedSchema !== null) await endRecovery(sql, announcedSchema)
  }
}

/**
 * Replaces the views. Does nothing if the views are complete (`isComplete`) and their definitions unchanged (the hash
 * in `market_index.served_views`). A restart of the indexer then need not wait for readers.
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
 * Locks every view before the first is replaced. Locks the view `indexed_head` first, because every transaction of the
 * services reads this view first.
 */
async function lockViews(sql: postgres.TransactionSql): Promise<void> {
  // A new reader waits for `indexed_head` and holds no other view. A reader that already holds a view can finish,
  // because no other view is locked yet.
  const views = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = ${viewsSchema}::regnamespace AND relkind = 'v' ORDER BY relname <> 'indexed_head', relname`
  // `LOCK TABLE` would lock the tables below too, which Ponder writes. One message admits no reader in between.
  await sql.unsafe(views.map(({ name }) => `ALTER VIEW "${viewsSchema}"."${name}" RESET (check_option)`).join(';'))
}

/**
 * Returns true if the new rows are at a lower block than the served rows. The caller must have locked the views.
 * Otherwise the served rows could advance, and a reader could see the higher block, between this check and the
 * replacement of the views.
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
 * Grants read access to the logins that may use the schema. A login that ran `DROP OWNED BY` on itself is missing in
 * the default privileges. Without this function, the login would lose access at the next deployment.
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
 * Returns true if the views are complete, that is, if all of these conditions hold:
 * - Every table has a view with the same columns in the same order (the view of `task` also has `row_version`).
 * - The view `indexed_head` reads the checkpoint table of this deployment.
 * - If this deployment has the table of the view `ledger`, the view reads this table.
 * - The checkpoint table has the trigger `notify_head`.
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

/** Creates the schema of the views if it is missing. */
async function createViewsSchema(sql: postgres.TransactionSql): Promise<void> {
  // `IF NOT EXISTS` would require the right to create a schema even if the schema exists.
  const [schema] = await sql`SELECT to_regnamespace(${viewsSchema}) IS NOT NULL AS exists`
  if (schema?.exists !== true) await sql`CREATE SCHEMA ${sql(viewsSchema)}`
}

/**
 * Returns the query of the view `indexed_head`. Ponder's checkpoint is a text of 75 digits: time (10), chain (16),
 * block (16), transaction (16), kind (1), log (16).
 *
 * - `ready` is false during a backfill or a recovery, because rows may be missing then.
 * - `version` changes with every commit of rows, even if a reorg returns to the same height and time.
 * - `schema_version` is the name of the deployment's schema.
 * - `origin` is the supervisor's database session that Ponder's commits depend on (fence.ts).
 * - `recovers_to` is the height that the rows must reach again in a recovery; null if no recovery runs (recovery.ts).
 * - `oldest_version` is the lowest data version of a service that may read the rows.
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

/**
 * Name of the first column of the view of `task`. PostgreSQL can add columns to an existing view only at the end. The
 * end is therefore left for new columns of the table `task`.
 */
const rowVersion = 'row_version'

/**
 * Returns the query of a table's view. The view of `task` has the additional column `row_version`. The value of
 * `row_version` changes with every write of the task's row, also in a reorg. Each event of a task writes the task's
 * row. If `row_version` is unchanged, the task's awards, entries and evaluation are therefore unchanged.
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
    await sql.savepoint((savepoint) => savepoint.unsafe(`CREATE OR REPLACE VIEW ${view} AS ${query}`))
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== invalidTableDefinition) throw error
    // Postgres replaces a view only by one with the same columns and more, so another list requires a new view.
    await sql.unsafe(`DROP VIEW IF EXISTS ${view}`)
    await sql.unsafe(`CREATE VIEW ${view} AS ${query}`)
  }
}

async function dropOtherViews(sql: postgres.TransactionSql, keptNames: string[]): Promise<void> {
  const others = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.views
    WHERE table_schema = ${viewsSchema} AND table_name <> ALL(${keptNames})`
  for (const { name } of others) await sql`DROP VIEW ${sql(viewsSchema)}.${sql(name)}`
}
