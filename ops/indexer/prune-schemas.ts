import postgres from 'postgres'
import { isPonderConnected, takeIndexerLock } from './indexer-lock.ts'
import { findServedSchema } from './views-schema.ts'
import { retryOnLockTimeout } from './wait-for-locks.ts'

/**
 * The reason why a database schema with indexed rows is kept; null if the schema is dropped. `before`: among the
 * schemas that are older than the served schema, this schema was used most recently. `newer`: the schema was created
 * after the served schema.
 */
export type Keep = 'served' | 'before' | 'newer' | 'running' | 'read by others' | null

/** A schema that contains the rows of one deployment of the indexer. */
export interface RowSchema {
  name: string
  bytes: number
  /** Time in Unix milliseconds at which a Ponder last ran on the schema; 0 if none ever ran. */
  usedAt: number
  keep: Keep
}

const REASONS: Record<NonNullable<Keep>, string> = {
  served: 'it is served',
  before: 'it ran last before the one that is served',
  newer: 'it was made after the one that is served',
  running: 'its indexer runs',
  'read by others': 'a view of another schema reads it',
}

export interface PruneOptions {
  /** True to report which schemas would be dropped, without dropping them. */
  isDryRun: boolean
}

/**
 * A database schema with indexed rows. `age`: the schema's object id. The later a schema was created, the higher is its
 * `age`.
 */
type FoundSchema = Omit<RowSchema, 'keep'> & { age: number }

/**
 * Drops the schemas that no release needs. A schema contains the rows of one deployment of the indexer. Keeps the
 * served schema, all newer schemas, and the most recently used of the older schemas. Also keeps a schema if an indexer
 * runs on the schema, or if a view of another schema reads the schema's tables.
 * @param databaseUrl URL with the login that owns the schemas
 * @returns every schema with indexed rows, the oldest first, with the reason why the schema is kept
 * @throws if no schema is served, because then no schema counts as old
 */
export async function pruneOldSchemas(databaseUrl: string, { isDryRun }: PruneOptions): Promise<RowSchema[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, fetch_types: false })
  try {
    const servedSchema = await findServedSchema(sql)
    if (servedSchema === null) throw new Error('no rows are served yet, so nothing tells which schemas are old')
    const foundSchemas = await listRowSchemas(sql)
    const plannedSchemas = planPrune(foundSchemas, servedSchema)
    const schemas: RowSchema[] = []
    for (const schema of plannedSchemas) {
      const keep = schema.keep ?? (await dropUnlessUsed(sql, schema.name, isDryRun))
      schemas.push({ ...schema, keep })
    }
    return schemas
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * Decides for each schema whether it is kept, from its name, its age and its last use.
 * @param foundSchemas schemas in any order
 * @param servedSchema name of the served schema
 */
export function planPrune(foundSchemas: readonly FoundSchema[], servedSchema: string): RowSchema[] {
  const schemas = [...foundSchemas].sort((one, other) => one.age - other.age)
  const servedAge = schemas.find(({ name }) => name === servedSchema)?.age ?? Number.NEGATIVE_INFINITY
  const [before] = schemas
    .filter(({ name, age }) => name !== servedSchema && age < servedAge)
    .sort((one, other) => other.usedAt - one.usedAt)
  return schemas.map(({ age, ...schema }) => {
    if (schema.name === servedSchema) return { ...schema, keep: 'served' }
    if (age > servedAge) return { ...schema, keep: 'newer' }
    return { ...schema, keep: schema.name === before?.name ? 'before' : null }
  })
}

async function listRowSchemas(sql: postgres.Sql): Promise<FoundSchema[]> {
  const rows = await sql<{ name: string; age: string; bytes: string; hasMeta: boolean }[]>`
    SELECT nspname AS name, pg_namespace.oid::bigint AS age,
           coalesce(sum(pg_total_relation_size(relation.oid)) FILTER (WHERE relation.relkind = 'r'), 0)::bigint AS bytes,
           to_regclass(format('%I._ponder_meta', nspname)) IS NOT NULL AS "hasMeta"
    FROM pg_namespace LEFT JOIN pg_class AS relation ON relation.relnamespace = pg_namespace.oid
    WHERE nspname ~ '^idx_[0-9a-f]{16}$'
    GROUP BY nspname, pg_namespace.oid`
  const foundSchemas: FoundSchema[] = []
  for (const { name, age, bytes, hasMeta } of rows) {
    const usedAt = hasMeta ? await readLastUse(sql, name) : 0
    foundSchemas.push({ name, age: Number(age), bytes: Number(bytes), usedAt })
  }
  return foundSchemas
}

/**
 * Returns the time in Unix milliseconds at which a Ponder last ran on the schema. A running Ponder updates this time.
 */
async function readLastUse(sql: postgres.Sql, schema: string): Promise<number> {
  const [row] = await sql<{ usedAt: string | null }[]>`
    SELECT value ->> 'heartbeat_at' AS "usedAt" FROM ${sql(schema)}._ponder_meta WHERE key = 'app'`
  return Number(row?.usedAt ?? 0)
}

/**
 * Drops a schema unless it is used. First takes the indexer lock of the schema for the session of `sql`, so no indexer
 * can start on the schema in the meantime.
 * @returns the reason why the schema is kept; null if the schema is dropped
 */
async function dropUnlessUsed(sql: postgres.Sql, schema: string, isDryRun: boolean): Promise<Keep> {
  if ((await takeIndexerLock(sql, schema)) === null || (await isPonderConnected(sql, schema))) return 'running'
  if (await hasReadersOutside(sql, schema)) return 'read by others'
  if (!isDryRun)
    await retryOnLockTimeout(
      sql,
      async (transaction) => void (await transaction`DROP SCHEMA ${transaction(schema)} CASCADE`),
    )
  return null
}

/** Returns a line for each schema, and a last line with the freed space. */
export function describePrune(schemas: readonly RowSchema[], isDryRun: boolean): string[] {
  const goneSchemas = schemas.filter(({ keep }) => keep === null)
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`
  const verb = isDryRun ? 'would be dropped' : 'dropped'
  return [
    ...schemas.map(({ name, bytes, usedAt, keep }) => {
      const use = usedAt === 0 ? 'never ran' : `last ran ${new Date(usedAt).toISOString()}`
      return `${name}  ${megabytes(bytes)}, ${use}: ${keep === null ? verb : `kept, ${REASONS[keep]}`}`
    }),
    `${goneSchemas.length} of ${schemas.length} schemas ${verb}, ${megabytes(goneSchemas.reduce((sum, { bytes }) => sum + bytes, 0))}`,
  ]
}

/**
 * Returns true if a view of another schema reads a table of this schema. A drop of the schema would also drop the view.
 */
async function hasReadersOutside(sql: postgres.Sql, schema: string): Promise<boolean> {
  const [row] = await sql<{ hasReaders: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM pg_depend AS used
      JOIN pg_class AS source ON used.refclassid = 'pg_class'::regclass AND source.oid = used.refobjid
      JOIN pg_rewrite AS rule ON used.classid = 'pg_rewrite'::regclass AND rule.oid = used.objid
      JOIN pg_class AS reader ON reader.oid = rule.ev_class
      WHERE source.relnamespace = to_regnamespace(${schema}) AND reader.relnamespace <> source.relnamespace
    ) AS "hasReaders"`
  return row?.hasReaders === true
}
