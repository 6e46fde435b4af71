import type { Queryable } from '../../db/client.ts'

/** A column that analysts read, and the comments of the database. */
export interface ColumnRow {
  schemaName: 'market' | 'analytics'
  schemaMeaning: string | null
  tableName: string
  tableMeaning: string | null
  columnName: string
  columnType: string
  columnMeaning: string | null
}

/** Every column of the tables and views of `market` and `analytics`: table by table, each in its order. */
export async function listColumns(sql: Queryable): Promise<ColumnRow[]> {
  return await sql<ColumnRow[]>`
    select namespace.nspname as schema_name, obj_description(namespace.oid, 'pg_namespace') as schema_meaning,
      relation.relname as table_name, obj_description(relation.oid, 'pg_class') as table_meaning,
      attribute.attname as column_name, format_type(attribute.atttypid, attribute.atttypmod) as column_type,
      col_description(relation.oid, attribute.attnum) as column_meaning
    from pg_namespace as namespace
    join pg_class as relation on relation.relnamespace = namespace.oid
    join pg_attribute as attribute on attribute.attrelid = relation.oid
    where namespace.nspname in ('market', 'analytics') and relation.relkind in ('r', 'p', 'v', 'm')
      and attribute.attnum > 0 and not attribute.attisdropped
    order by namespace.nspname, relation.relname, attribute.attnum`
}
