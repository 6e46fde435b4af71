import type { Queryable } from '../../api/db/client.ts'

/** A constraint of a table of the service. */
export interface TableRule {
  /** Name of the table. Example: `service.intents`. */
  table: string
  kind: 'check' | 'foreign key' | 'unique'
  columns: string[]
  /** Definition of the constraint as PostgreSQL prints it, without the names of an index and its table. */
  definition: string
}

/** The parts of the schemas `service` and `market` on which programs of another release rely. */
export interface SchemaFacts {
  /**
   * The type of each column, by `<schema>.<table>.<column>`. ` not null` and ` default` follow the type if the column
   * has them.
   */
  columns: Record<string, string>
  /** Constraints of the tables of the service. Programs write these tables. */
  rules: TableRule[]
  /** Signatures of the SQL functions of the service. */
  functions: string[]
}

/** Schema with the tables behind the views of `market`, in tests that insert rows (test/support/market-tables.ts). */
const testTables = 'idx_0000000000000000'

/**
 * Reads the facts of the schemas from a database. The database must have the tables of the service, and in `market` the
 * tables of test/support/sql/market.sql.
 */
export async function readSchemaFacts(sql: Queryable): Promise<SchemaFacts> {
  const columns = await sql<{ name: string; facts: string }[]>`
    SELECT CASE nspname WHEN ${testTables} THEN 'market' ELSE nspname END || '.' || relname || '.' || attname AS name,
           format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' not null' ELSE '' END
             || CASE WHEN atthasdef OR attidentity <> '' THEN ' default' ELSE '' END AS facts
    FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname IN ('service', 'market', ${testTables}) AND attnum > 0 AND NOT attisdropped
      AND (relkind = 'r' OR nspname = 'market' AND relname = 'ledger')`
  const rules = await sql<TableRule[]>`
    SELECT * FROM (
      SELECT 'service.' || relname AS table, CASE contype WHEN 'c' THEN 'check' ELSE 'foreign key' END AS kind,
             ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey) ORDER BY 1) AS columns,
             pg_get_constraintdef(pg_constraint.oid) AS definition
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
      WHERE connamespace = 'service'::regnamespace AND contype IN ('c', 'f')
      UNION ALL
      SELECT 'service.' || relname, 'unique',
             ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey) ORDER BY 1),
             regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '')
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = 'service'::regnamespace AND relkind = 'r' AND indisunique
    ) AS rules
    ORDER BY rules.table COLLATE "C", kind, definition COLLATE "C"`
  const functions = await sql<{ name: string }[]>`
    SELECT proname || '(' || pg_get_function_identity_arguments(oid) || ')' AS name FROM pg_proc WHERE pronamespace = 'service'::regnamespace`
  return {
    columns: Object.fromEntries(columns.map(({ name, facts }) => [name, facts] as const).toSorted(byName)),
    rules: rules.map(({ table, kind, columns, definition }) => ({ table, kind, columns, definition })),
    functions: functions.map(({ name }) => name).toSorted(),
  }
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1
}
