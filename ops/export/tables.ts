import type { TableColumn } from '../../api/tabular/fixed-columns.ts'
import type { ExportSession } from './export-session.ts'

/**
 * The append-only tables: their rows are written once and never changed. `time`: the column with the row's time, in
 * Unix seconds or as a timestamp. The files of a UTC day contain the rows of this day, sorted by `time` and `key`.
 * Equal rows therefore give equal bytes.
 *
 * All other tables are exported completely each time, because their rows can change. For example, an award can be rated
 * later.
 */
export const appendedTables: Readonly<Record<string, { time: string; key: string }>> = {
  'market.bonus_credit': { time: 'block_timestamp', key: 'id' },
  'market.bonus_skip': { time: 'block_timestamp', key: 'id' },
  'market.bonus_withdrawal': { time: 'block_timestamp', key: 'id' },
  'market.ledger': { time: 'at', key: 'id' },
  'market.market_event': { time: 'block_timestamp', key: 'ordinal' },
  'market.prepaid_refund': { time: 'block_timestamp', key: 'id' },
  'market.rating': { time: 'block_timestamp', key: 'id' },
  'market.relayed_intent': { time: 'block_timestamp', key: 'intent_id' },
  'market.task_event': { time: 'block_timestamp', key: 'id' },
  'market.vault_event': { time: 'block_timestamp', key: 'id' },
  'analytics.event': { time: 'at', key: 'id' },
  'analytics.ledger': { time: 'at', key: 'id' },
  'analytics.market_event': { time: 'at', key: 'ordinal' },
  'analytics.relay': { time: 'at', key: 'intent_id' },
}

/** The schemas from which all tables and views are exported. */
const SCHEMAS = ['market', 'analytics']

/** An exported table or view. */
export interface SourceTable {
  schema: string
  name: string
  /**
   * Digest of the definitions of all views in `analytics`. The digest changes if one of these definitions changes. Null
   * for a table of `market`.
   */
  definition: string | null
  columns: TableColumn[]
}

/**
 * Lists the tables and views of `SCHEMAS` that the login may read, with their columns. The list comes from the
 * database's catalog.
 */
export async function listTables({ run }: Pick<ExportSession, 'run'>): Promise<SourceTable[]> {
  const { rows } = await run(`
    WITH views AS MATERIALIZED (
      SELECT left(md5(string_agg(pg_get_viewdef(oid), '' ORDER BY relname)), 8) AS definition
      FROM pg_class WHERE relnamespace = to_regnamespace('analytics') AND relkind = 'v'
    )
    SELECT namespace.nspname, relation.relname,
      CASE WHEN namespace.nspname = 'analytics' THEN (SELECT definition FROM views) END,
      attribute.attname, attribute.atttypid, attribute.atttypmod
    FROM pg_class AS relation
    JOIN pg_namespace AS namespace ON namespace.oid = relation.relnamespace
    JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
    WHERE namespace.nspname IN (${SCHEMAS.map(quoteText).join(', ')}) AND relation.relkind IN ('r', 'p', 'v', 'm')
      AND has_table_privilege(relation.oid, 'SELECT')
    ORDER BY namespace.nspname DESC, relation.relname, attribute.attnum`)
  const tables = new Map<string, SourceTable>()
  for (const [schema = '', name = '', definition = null, column = '', typeId, typeModifier] of rows) {
    const key = `${schema}.${name}`
    const table = tables.get(key) ?? { schema: schema ?? '', name: name ?? '', definition, columns: [] }
    tables.set(key, table)
    table.columns.push({ name: column ?? '', typeId: Number(typeId), typeModifier: Number(typeModifier) })
  }
  return [...tables.values()]
}

/**
 * Quotes a name for SQL, and joins several names by dots. Example: `quoteName('market', 'task')` is `"market"."task"`.
 */
export function quoteName(...names: string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
