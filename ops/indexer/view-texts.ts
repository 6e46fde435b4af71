import type postgres from 'postgres'
import marketTexts from '../../api/db/market-texts.json' with { type: 'json' }

/**
 * JSON with the descriptions of the schema `market`, its views and their columns. The descriptions are generated from
 * `src/schema`.
 */
export const viewTexts = JSON.stringify(marketTexts)

/**
 * Writes the descriptions as SQL comments on the schema, its views and their columns, in the transaction that creates
 * the views. A column that this release does not describe gets no comment; a deployment of another release can have
 * such columns. Only the owner of the schema can set the schema's comment.
 */
export async function describeViews(sql: postgres.TransactionSql): Promise<void> {
  const rows = await sql<{ statement: string }[]>`
    WITH texts AS (SELECT ${viewTexts}::text::jsonb AS market),
      shown AS (
        SELECT oid, relname AS name, market -> 'views' -> relname::text AS entry FROM pg_class, texts
        WHERE relnamespace = 'market'::regnamespace AND relkind = 'v'
      )
    SELECT format('COMMENT ON SCHEMA market IS %L', market ->> 'about') AS statement
    FROM pg_namespace, texts WHERE nspname = 'market' AND pg_has_role(nspowner, 'USAGE')
    UNION ALL
    SELECT format('COMMENT ON VIEW market.%I IS %L', name, entry ->> 'about') FROM shown
    UNION ALL
    SELECT format('COMMENT ON COLUMN market.%I.%I IS %L', name, attname, entry -> 'columns' ->> attname::text)
    FROM shown JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped`
  await sql.unsafe(rows.map(({ statement }) => statement).join(';\n'))
}
