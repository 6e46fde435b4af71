-- The logins of one database and what each may do. A superuser runs this once per database, and again after a
-- restore, a PostgreSQL upgrade or a change of this file; running it twice changes nothing. It also repairs a database
-- whose objects belong to another role: owners change object by object.
--
--   psql -1 -v ON_ERROR_STOP=1 -f ops/database/logins.sql "$SUPERUSER_URL_OF_THE_DATABASE"
--   psql "$SUPERUSER_URL_OF_THE_DATABASE" -c '\password market_indexer'      and the others
--
--   market_indexer  owns `market`, `market_index`, `ponder_sync` and every `idx_...`; may create schemas and temporary tables here
--   market_service  owns `service` and `analytics`; reads `market`
--   market_reader   reads `market` and `analytics`: analysts' SQL and GraphQL
--   market_replica  reads the log of the primary: standbys
--   market_analyst  people: reads `market`, `analytics` and the catalogs, at a standby only
--   market_exporter writes files of both schemas (`npm run export`): may pause the replay of a standby meanwhile
--
-- A role without SUPERUSER but with CREATEROLE (managed servers) creates the logins, and leaves out what only a
-- superuser may do: the built-in functions and the catalogs stay open to market_reader, market_replica may not read the
-- log, and the line that keeps market_analyst off the primary is printed. docs/operate/database.md
-- describes the consequences.

SET LOCAL client_min_messages = warning;

-- 1. The logins. Roles belong to the whole server: two databases prepared at once wait for each other here.
DO $logins$
DECLARE
  login text;
  granted record;
BEGIN
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    LOCK TABLE pg_authid IN SHARE ROW EXCLUSIVE MODE;
  END IF;
  FOREACH login IN ARRAY ARRAY['market_indexer', 'market_service', 'market_reader', 'market_replica', 'market_analyst', 'market_exporter'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', login);
    END IF;
    IF EXISTS (
      SELECT FROM pg_roles
      WHERE rolname = login
        AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication AND login <> 'market_replica' OR rolbypassrls
          OR NOT rolcanlogin)
    ) THEN
      EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', login);
    END IF;
    IF login = 'market_replica' AND (SELECT rolsuper OR rolreplication FROM pg_roles WHERE rolname = current_user) THEN
      ALTER ROLE market_replica REPLICATION;
    END IF;
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      -- Needed to hand objects over; a superuser needs no membership.
      EXECUTE format('GRANT %I TO CURRENT_USER', login);
    END IF;
  END LOOP;
  -- They have their own rights and inherit none.
  FOR granted IN
    SELECT role.rolname AS role, member.rolname AS member FROM pg_auth_members AS membership
    JOIN pg_roles AS role ON role.oid = membership.roleid
    JOIN pg_roles AS member ON member.oid = membership.member
    WHERE member.rolname IN ('market_reader', 'market_replica', 'market_analyst', 'market_exporter')
  LOOP
    EXECUTE format('REVOKE %I FROM %I', granted.role, granted.member);
  END LOOP;
END
$logins$;

-- 2. The schemas, and everything in them, belong to the login that writes them.
DO $owners$
DECLARE
  target record;
  object record;
BEGIN
  IF to_regnamespace('service') IS NULL THEN CREATE SCHEMA service AUTHORIZATION market_service; END IF;
  IF to_regnamespace('analytics') IS NULL THEN CREATE SCHEMA analytics AUTHORIZATION market_service; END IF;
  IF to_regnamespace('market') IS NULL THEN CREATE SCHEMA market AUTHORIZATION market_indexer; END IF;

  FOR target IN
    SELECT namespace.oid, namespace.nspname AS name,
           CASE WHEN namespace.nspname IN ('service', 'analytics') THEN 'market_service' ELSE 'market_indexer' END AS owner
    FROM pg_namespace AS namespace
    WHERE namespace.nspname IN ('service', 'analytics', 'market', 'market_index', 'ponder_sync')
       OR namespace.nspname ~ '^idx_[0-9a-f]{16}$'
  LOOP
    EXECUTE format('ALTER SCHEMA %I OWNER TO %I', target.name, target.owner);
    -- Relations; indexes follow their table, and a sequence of a column follows it too.
    FOR object IN
      SELECT format('%I.%I', target.name, relation.relname) AS name,
             CASE relation.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
               ELSE 'TABLE' END AS kind
      FROM pg_class AS relation
      WHERE relation.relnamespace = target.oid AND relation.relkind IN ('r', 'p', 'v', 'm', 'S')
        AND pg_get_userbyid(relation.relowner) <> target.owner
        AND NOT EXISTS (
          SELECT FROM pg_depend AS dependency
          WHERE dependency.classid = 'pg_class'::regclass AND dependency.objid = relation.oid
            AND dependency.refclassid = 'pg_class'::regclass AND dependency.deptype IN ('a', 'i')
            AND relation.relkind = 'S'
        )
    LOOP
      EXECUTE format('ALTER %s %s OWNER TO %I', object.kind, object.name, target.owner);
    END LOOP;
    FOR object IN
      SELECT routine.oid::regprocedure::text AS name FROM pg_proc AS routine
      WHERE routine.pronamespace = target.oid AND pg_get_userbyid(routine.proowner) <> target.owner
    LOOP
      EXECUTE format('ALTER ROUTINE %s OWNER TO %I', object.name, target.owner);
    END LOOP;
    -- Enums and domains; the row type of a table is the table's.
    FOR object IN
      SELECT format('%I.%I', target.name, type.typname) AS name FROM pg_type AS type
      WHERE type.typnamespace = target.oid AND type.typtype IN ('e', 'd')
        AND pg_get_userbyid(type.typowner) <> target.owner
    LOOP
      EXECUTE format('ALTER TYPE %s OWNER TO %I', object.name, target.owner);
    END LOOP;
  END LOOP;
END
$owners$;

-- 3. Who reads what. A switch of deployments drops and creates views: the default covers those to come.
GRANT USAGE ON SCHEMA market TO market_service, market_reader, market_analyst, market_exporter;
REVOKE ALL ON ALL TABLES IN SCHEMA market FROM market_service, market_reader, market_analyst, market_exporter;
GRANT SELECT ON ALL TABLES IN SCHEMA market TO market_service, market_reader, market_analyst, market_exporter;
ALTER DEFAULT PRIVILEGES FOR ROLE market_indexer IN SCHEMA market
  GRANT SELECT ON TABLES TO market_service, market_reader, market_analyst, market_exporter;
GRANT USAGE ON SCHEMA analytics TO market_reader, market_analyst, market_exporter;
REVOKE ALL ON ALL TABLES IN SCHEMA analytics FROM market_reader, market_analyst, market_exporter;
GRANT SELECT ON ALL TABLES IN SCHEMA analytics TO market_reader, market_analyst, market_exporter;
ALTER DEFAULT PRIVILEGES FOR ROLE market_service IN SCHEMA analytics
  GRANT SELECT ON TABLES TO market_reader, market_analyst, market_exporter;
REVOKE ALL ON SCHEMA service FROM PUBLIC, market_indexer, market_reader, market_analyst, market_exporter;
REVOKE ALL ON ALL TABLES IN SCHEMA service FROM PUBLIC, market_indexer, market_reader, market_analyst, market_exporter;
-- A switch of deployments makes the views of `analytics` again, as their owner: of `service` the indexer may call that.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA service FROM PUBLIC, market_indexer, market_reader, market_analyst, market_exporter;
GRANT USAGE ON SCHEMA service TO market_indexer;
DO $analytics$
BEGIN
  IF to_regprocedure('service.make_analytics()') IS NOT NULL THEN
    GRANT EXECUTE ON FUNCTION service.drop_analytics(), service.make_analytics() TO market_indexer;
  END IF;
END
$analytics$;

-- 4. The database: of the logins only the indexer creates schemas and temporary tables.
DO $database$
BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC, market_service, market_reader, market_replica, market_analyst, market_exporter',
    current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO market_service, market_reader, market_analyst, market_exporter',
    current_database());
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO market_indexer', current_database());
  -- Backups and monitoring: their logins are members of these roles.
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO pg_read_all_data, pg_monitor', current_database());
END
$database$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- 5. Built-in functions and catalogs. By default any login may execute and read them, and inside a plain SELECT they
-- switch settings off, fill the disk (pg_logical_emit_message), exhaust the lock table, run SQL from a text, end
-- sessions of the same login, or show the statistics of tables that the login cannot read. PUBLIC loses every volatile
-- function, the functions that look into the server, and the catalogs; the roles that work here get them back, the reader
-- the catalogs. What
-- initdb kept from PUBLIC is granted to no role here. market_analyst gets what the programs of analysts read: it works at a
-- standby alone, which cannot be written and may be ended. market_exporter gets those of the reader, and the pause of a replay.
DO $builtins$
DECLARE
  roles constant text := 'market_indexer, market_service, pg_read_all_data, pg_monitor';
  -- They change nothing and tell nothing of others.
  harmless constant text[] := ARRAY[
    'clock_timestamp', 'timeofday', 'random', 'random_normal', 'setseed', 'gen_random_uuid', 'uuidv4', 'uuidv7',
    'array_sample', 'array_shuffle', 'currval', 'lastval', 'pg_is_in_recovery', 'pg_backend_pid', 'pg_typeof',
    'pg_column_size', 'pg_input_is_valid', 'pg_input_error_info', 'pg_collation_for', 'pg_client_encoding',
    'pg_encoding_to_char', 'pg_char_to_encoding', 'pg_size_pretty', 'pg_size_bytes'
  ];
  -- Advisory locks fill the table of locks that the replay needs too; the others end sessions of other analysts, or write.
  kept_from_analyst constant text :=
    '^(pg_(try_)?advisory_|pg_(terminate|cancel)_backend$|pg_notify$|pg_logical_emit_|lo_|lo(read|write)$)';
  -- What the catalogs and information_schema call: the service's queries read both.
  reads_catalogs constant text :=
    '^pg_(has_role|get_(expr|viewdef|constraintdef|indexdef|userbyid)|(table|type|function)_is_visible|(relation|column)_is_updatable|is_other_temp_schema|my_temp_schema)$';
  names text;
  names_of_analyst text;
  names_of_reader text;
  columns text;
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN RETURN; END IF;

  SELECT string_agg(routine.oid::regprocedure::text, ', '),
         string_agg(routine.oid::regprocedure::text, ', ') FILTER (WHERE routine.proname !~ kept_from_analyst),
         string_agg(routine.oid::regprocedure::text, ', ') FILTER (WHERE routine.proname ~ reads_catalogs)
  INTO names, names_of_analyst, names_of_reader
  FROM pg_proc AS routine
  WHERE routine.pronamespace = 'pg_catalog'::regnamespace
    AND routine.prokind = 'f'
    AND routine.proname <> ALL (harmless)
    AND (
      routine.provolatile = 'v'
      OR routine.proname LIKE 'pg\_%'
      OR routine.proname LIKE 'txid\_%'
      OR routine.proname LIKE '%\_to\_xml%'
      -- They compare everything with everything, and cannot be interrupted.
      OR routine.oid IN (
        'jsonb_delete(jsonb, text[])'::regprocedure, 'jsonb_path_match_opr(jsonb, jsonpath)'::regprocedure,
        'jsonb_path_exists_opr(jsonb, jsonpath)'::regprocedure
      )
      -- They count the transactions of the whole server.
      OR routine.oid IN ('age(xid)'::regprocedure, 'mxid_age(xid)'::regprocedure)
    )
    AND NOT EXISTS (
      SELECT FROM pg_init_privs AS initial
      WHERE initial.classoid = 'pg_proc'::regclass AND initial.objoid = routine.oid
        AND NOT EXISTS (SELECT FROM aclexplode(initial.initprivs) AS entry WHERE entry.grantee = 0)
    );
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, market_reader, market_analyst, market_exporter', names);
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', names, roles);
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO market_analyst', names_of_analyst);
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO market_reader, market_exporter', names_of_reader);
  GRANT EXECUTE ON FUNCTION
    pg_wal_replay_pause(), pg_wal_replay_resume(), pg_get_wal_replay_pause_state(), pg_try_advisory_lock(bigint)
    TO market_exporter;

  SELECT string_agg(format('pg_catalog.%I', relation.relname), ', ') INTO names
  FROM pg_class AS relation
  JOIN pg_init_privs AS initial
    ON initial.classoid = 'pg_class'::regclass AND initial.objoid = relation.oid AND initial.objsubid = 0
  WHERE relation.relnamespace = 'pg_catalog'::regnamespace AND relation.relkind IN ('r', 'v')
    AND EXISTS (
      SELECT FROM aclexplode(initial.initprivs) AS entry
      WHERE entry.grantee = 0 AND entry.privilege_type = 'SELECT'
    );
  EXECUTE format('REVOKE SELECT ON %s FROM PUBLIC, market_reader, market_exporter', names);
  EXECUTE format('GRANT SELECT ON %s TO %s, market_reader, market_analyst, market_exporter', names, roles);

  -- Of some catalogs single columns are granted, which the statement above leaves.
  FOR columns IN
    SELECT format('SELECT (%s) ON pg_catalog.%I', string_agg(quote_ident(attribute.attname), ', '), relation.relname)
    FROM pg_class AS relation
    JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
    WHERE relation.relnamespace = 'pg_catalog'::regnamespace
      AND EXISTS (SELECT FROM aclexplode(attribute.attacl) AS entry WHERE entry.grantee = 0)
    GROUP BY relation.relname
  LOOP
    EXECUTE format('REVOKE %s FROM PUBLIC, market_reader', columns);
    EXECUTE format('GRANT %s TO %s, market_analyst', columns, roles);
  END LOOP;

  -- DO runs a program of any length.
  REVOKE USAGE ON LANGUAGE plpgsql, sql FROM PUBLIC, market_reader, market_analyst, market_exporter;
  GRANT USAGE ON LANGUAGE plpgsql, sql TO market_indexer, market_service;
END
$builtins$;

-- 6. The frame of a reader's session. The service sets the same bounds in each transaction; these hold for sessions
-- that it did not open. A login may change its own settings, except those only a superuser may set (temp_file_limit).
DO $frame$
BEGIN
  -- A login may change its own settings, also to some that keep every later session out.
  ALTER ROLE market_reader RESET ALL;
  EXECUTE format('ALTER ROLE market_reader IN DATABASE %I RESET ALL', current_database());
  ALTER ROLE market_reader SET default_transaction_read_only = on;
  ALTER ROLE market_reader SET statement_timeout = '5s';
  ALTER ROLE market_reader SET transaction_timeout = '10s';
  ALTER ROLE market_reader SET idle_in_transaction_session_timeout = '5s';
  ALTER ROLE market_reader SET idle_session_timeout = '10min';
  ALTER ROLE market_reader SET lock_timeout = '2s';
  ALTER ROLE market_reader SET max_parallel_workers_per_gather = 0;
  ALTER ROLE market_reader SET jit = off;
  ALTER ROLE market_reader SET work_mem = '16MB';
  ALTER ROLE market_reader SET search_path = market;
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    ALTER ROLE market_reader SET temp_file_limit = '256MB';
    -- The server's log holds no text of a reader: a statement of any length that fails would be written there.
    ALTER ROLE market_reader SET log_min_error_statement = 'panic';
    ALTER ROLE market_reader SET log_min_messages = 'panic';
  END IF;
  -- Two for the API process and two for its queries that cannot be interrupted, two for GraphQL, three spare; a limit that
  -- an operator has set stays. An earlier version of this file set 7.
  IF (SELECT rolconnlimit FROM pg_roles WHERE rolname = 'market_reader') IN (-1, 7) THEN
    ALTER ROLE market_reader CONNECTION LIMIT 9;
  END IF;

  -- A session may change most of these: what bounds it is the keeper beside the standby (ops/standby). They end a slow
  -- statement a little earlier, with a message that tells why.
  ALTER ROLE market_analyst RESET ALL;
  EXECUTE format('ALTER ROLE market_analyst IN DATABASE %I RESET ALL', current_database());
  ALTER ROLE market_analyst SET default_transaction_read_only = on;
  ALTER ROLE market_analyst SET statement_timeout = '55s';
  ALTER ROLE market_analyst SET idle_in_transaction_session_timeout = '55s';
  ALTER ROLE market_analyst SET idle_session_timeout = '60s';
  ALTER ROLE market_analyst SET lock_timeout = '5s';
  ALTER ROLE market_analyst SET max_parallel_workers_per_gather = 0;
  ALTER ROLE market_analyst SET jit = off;
  ALTER ROLE market_analyst SET work_mem = '16MB';
  ALTER ROLE market_analyst SET search_path = market, analytics;
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    ALTER ROLE market_analyst SET temp_file_limit = '512MB';
    ALTER ROLE market_analyst SET log_min_error_statement = 'panic';
    ALTER ROLE market_analyst SET log_min_messages = 'panic';
  END IF;
  IF (SELECT rolconnlimit FROM pg_roles WHERE rolname = 'market_analyst') = -1 THEN
    ALTER ROLE market_analyst CONNECTION LIMIT 20;
  END IF;

  -- An export reads in one transaction, for which replay is paused. Its end ends the session, and the keeper resumes the replay.
  ALTER ROLE market_exporter RESET ALL;
  EXECUTE format('ALTER ROLE market_exporter IN DATABASE %I RESET ALL', current_database());
  ALTER ROLE market_exporter SET default_transaction_read_only = on;
  ALTER ROLE market_exporter SET transaction_timeout = '30min';
  ALTER ROLE market_exporter SET client_connection_check_interval = '1s';
  ALTER ROLE market_exporter SET max_parallel_workers_per_gather = 0;
  ALTER ROLE market_exporter SET jit = off;
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    ALTER ROLE market_exporter SET temp_file_limit = '16GB';
  END IF;
  IF (SELECT rolconnlimit FROM pg_roles WHERE rolname = 'market_exporter') = -1 THEN
    ALTER ROLE market_exporter CONNECTION LIMIT 3;
  END IF;
END
$frame$;

-- 7. A login of the standby is one of the primary too, for roles replicate: market_analyst and market_exporter are refused where
-- the server is no standby. A superuser's trigger does it, in a schema that no other role may change; it raises for these alone.
DO $place$
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RAISE WARNING 'market_analyst and market_exporter may log in at the primary: put this line first into its pg_hba.conf: host % market_analyst,market_exporter all reject',
      quote_ident(current_database());
    RETURN;
  END IF;
  CREATE SCHEMA IF NOT EXISTS logins;
  REVOKE ALL ON SCHEMA logins FROM PUBLIC;
  CREATE OR REPLACE FUNCTION logins.refuse_analyst_at_primary() RETURNS event_trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $refuse$
    BEGIN
      IF session_user IN ('market_analyst', 'market_exporter') AND NOT pg_is_in_recovery() THEN
        RAISE EXCEPTION '% may log in at a standby only', session_user
          USING ERRCODE = 'insufficient_privilege', HINT = 'Use the address of the analysts'' standby.';
      END IF;
    END
  $refuse$;
  IF NOT EXISTS (SELECT FROM pg_event_trigger WHERE evtname = 'market_analyst_at_standby_only') THEN
    CREATE EVENT TRIGGER market_analyst_at_standby_only ON login EXECUTE FUNCTION logins.refuse_analyst_at_primary();
  END IF;
  ALTER EVENT TRIGGER market_analyst_at_standby_only ENABLE ALWAYS;
END
$place$;

-- 8. Rights end at this database. Another one of the same server that lets PUBLIC connect has all of what step 5 takes
-- away, and no trigger: keep the reader and the analysts out there, in pg_hba.conf or with REVOKE CONNECT ... FROM PUBLIC.
DO $others$
DECLARE
  others text;
BEGIN
  SELECT string_agg(quote_ident(datname), ', ') INTO others FROM pg_database
  WHERE datallowconn AND datname <> current_database() AND has_database_privilege('market_reader', datname, 'CONNECT')
    -- Prepared by this script: PUBLIC may not connect.
    AND has_database_privilege('public', datname, 'CONNECT');
  IF others IS NOT NULL THEN
    RAISE WARNING 'market_reader and market_analyst may also connect to %; see docs/operate/database.md', others;
  END IF;
END
$others$;
