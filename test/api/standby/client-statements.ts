/**
 * Statements by which programs of analysts find tables and columns: the catalogs, columns and functions that each reads,
 * by its public sources, in statements of our own. Each must be answered; those with `rows` must find `market.task`.
 */
export const clientStatements: readonly { client: string; text: string; rows?: true }[] = [
  // The JDBC driver (Metabase, DBeaver): schemas, tables with their comments, columns, keys, types, privileges.
  {
    client: 'jdbc',
    text: "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname <> 'pg_toast' AND nspname !~ '^pg_temp_'",
  },
  {
    client: 'jdbc',
    rows: true,
    text: `SELECT n.nspname, c.relname, c.relkind, d.description
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_description AS d
        ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_catalog.pg_class'::regclass
      WHERE n.nspname = 'market' AND c.relname LIKE 'task'`,
  },
  {
    client: 'jdbc',
    rows: true,
    text: `SELECT a.attname, a.atttypid, a.atttypmod, a.attnotnull OR t.typtype = 'd' AND t.typnotnull AS required, a.attlen,
        a.attidentity, a.attgenerated, pg_catalog.pg_get_expr(def.adbin, def.adrelid) AS def, dsc.description, t.typbasetype
      FROM pg_catalog.pg_attribute AS a
      JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
      LEFT JOIN pg_catalog.pg_attrdef AS def ON def.adrelid = a.attrelid AND def.adnum = a.attnum
      LEFT JOIN pg_catalog.pg_description AS dsc ON dsc.objoid = a.attrelid AND dsc.objsubid = a.attnum
      WHERE a.attrelid = 'market.task'::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
  },
  {
    client: 'jdbc',
    rows: true,
    text: `SELECT i.indrelid::regclass, (information_schema._pg_expandarray(i.indkey)).n AS position
      FROM pg_catalog.pg_index AS i WHERE i.indisprimary AND i.indrelid = 'market.task'::regclass`,
  },
  { client: 'jdbc', text: "SELECT string_agg(word, ',') FROM pg_catalog.pg_get_keywords() WHERE catcode <> 'U'" },
  {
    client: 'jdbc',
    text: 'SELECT typinput = 0 AS none, typname, typdelim, typcategory FROM pg_catalog.pg_type LIMIT 5',
  },
  {
    client: 'metabase',
    rows: true,
    text: `SELECT n.nspname AS schema, c.relname AS name, stat.n_live_tup AS estimated_rows
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN pg_stat_user_tables AS stat ON stat.relid = c.oid
      WHERE c.relkind IN ('r', 'p', 'v', 'f', 'm') AND n.nspname !~ '^(pg_|information_schema)' AND c.relname = 'task'`,
  },
  {
    client: 'metabase',
    rows: true,
    text: `SELECT t.schemaname, t.name, pg_catalog.has_any_column_privilege(current_user, t.full_name, 'select') AS selects,
        pg_catalog.has_table_privilege(current_user, t.full_name, 'update') AS updates
      FROM (
        SELECT schemaname, tablename AS name, format('%I.%I', schemaname, tablename) AS full_name FROM pg_catalog.pg_tables
        UNION SELECT schemaname, viewname, format('%I.%I', schemaname, viewname) FROM pg_catalog.pg_views
        UNION SELECT schemaname, matviewname, format('%I.%I', schemaname, matviewname) FROM pg_catalog.pg_matviews
      ) AS t
      WHERE t.schemaname = 'market' AND pg_catalog.has_schema_privilege(current_user, t.schemaname, 'usage')`,
  },
  {
    client: 'metabase',
    rows: true,
    text: `SELECT c.table_name, c.column_name, c.udt_schema, c.udt_name, c.ordinal_position, c.is_identity,
        col_description(format('%I.%I', c.table_schema, c.table_name)::regclass, c.ordinal_position) AS comment, k.column_name
      FROM information_schema.columns AS c
      LEFT JOIN information_schema.key_column_usage AS k USING (table_schema, table_name, column_name)
      LEFT JOIN information_schema.table_constraints AS u USING (constraint_schema, constraint_name)
      WHERE c.table_schema = 'market' AND c.table_name = 'task'`,
  },
  {
    client: 'metabase',
    text: `SELECT con.conname, con.conrelid::regclass, con.confrelid::regclass, a.attname
      FROM pg_catalog.pg_constraint AS con
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = con.conrelid AND a.attnum = ANY (con.conkey) WHERE con.contype = 'f'`,
  },
  {
    client: 'metabase',
    text: `SELECT n.nspname, t.typname, array_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_type AS t
      JOIN pg_catalog.pg_enum AS e ON e.enumtypid = t.oid JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
      GROUP BY 1, 2`,
  },
  { client: 'metabase', text: "SET TIME ZONE 'UTC'; SHOW timezone" },
  // Grafana.
  { client: 'grafana', text: "SELECT current_setting('server_version_num')::int / 100 AS version" },
  { client: 'grafana', text: "SELECT 1 FROM pg_extension WHERE extname = 'timescaledb'" },
  {
    client: 'grafana',
    rows: true,
    text: `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
      WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog') AND table_name = 'task'
        AND (table_schema = ANY (current_schemas(false)) OR current_setting('search_path') <> '')`,
  },
  {
    client: 'grafana',
    rows: true,
    text: `SELECT quote_ident(column_name) AS "column", data_type AS type, udt_name FROM information_schema.columns
      WHERE quote_ident(table_name) = 'task'`,
  },
  // SQLAlchemy, and pandas above it.
  { client: 'sqlalchemy', text: 'SELECT pg_catalog.version()' },
  { client: 'sqlalchemy', text: 'SELECT current_schema()' },
  { client: 'sqlalchemy', text: 'SHOW standard_conforming_strings; SHOW transaction_isolation' },
  {
    client: 'sqlalchemy',
    rows: true,
    text: `SELECT c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind = ANY (ARRAY['r', 'p']) AND c.relpersistence <> 't' AND pg_catalog.pg_table_is_visible(c.oid)
        AND n.nspname <> 'pg_catalog'`,
  },
  {
    client: 'sqlalchemy',
    rows: true,
    text: `SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attgenerated,
        (SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef AS d
         WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef) AS "default",
        pg_catalog.col_description(a.attrelid, a.attnum) AS comment,
        (SELECT json_build_object('start', s.seqstart, 'increment', s.seqincrement) FROM pg_catalog.pg_sequence AS s
         WHERE s.seqrelid = pg_catalog.pg_get_serial_sequence('market.task', a.attname)::regclass) AS identity,
        (SELECT co.collname FROM pg_catalog.pg_collation AS co WHERE co.oid = a.attcollation) AS collation
      FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = 'market.task'::regclass AND a.attnum > 0`,
  },
  {
    client: 'sqlalchemy',
    rows: true,
    text: `SELECT con.conname, con.contype, pg_catalog.pg_get_constraintdef(con.oid, true) AS definition,
        pg_catalog.obj_description(con.oid, 'pg_constraint') AS comment,
        ARRAY(SELECT con.conkey[i] FROM generate_subscripts(con.conkey, 1) AS i) AS columns
      FROM pg_catalog.pg_constraint AS con WHERE con.conrelid = 'market.task'::regclass`,
  },
  {
    client: 'sqlalchemy',
    rows: true,
    text: `SELECT i.indexrelid::regclass, i.indisunique, am.amname, c.reloptions, pg_catalog.pg_get_indexdef(i.indexrelid, 1, true) AS key,
        pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS condition
      FROM pg_catalog.pg_index AS i
      JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
      JOIN pg_catalog.pg_am AS am ON am.oid = c.relam WHERE i.indrelid = 'market.task'::regclass`,
  },
  {
    client: 'sqlalchemy',
    text: `SELECT t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod), pg_catalog.pg_type_is_visible(t.oid)
      FROM pg_catalog.pg_type AS t WHERE t.typtype IN ('d', 'e')`,
  },
  {
    client: 'sqlalchemy',
    text: "SELECT pg_catalog.pg_get_viewdef(oid) FROM pg_catalog.pg_class WHERE relkind = 'v' LIMIT 3",
  },
  // pg_dump, before it reads a schema.
  {
    client: 'pg_dump',
    text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0;
      SELECT pg_catalog.set_config('search_path', '', true); SELECT pg_catalog.pg_is_in_recovery();
      LOCK TABLE market.task IN ACCESS SHARE MODE; ROLLBACK`,
  },
]
