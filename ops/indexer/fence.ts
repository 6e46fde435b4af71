import type postgres from 'postgres'

/**
 * The end of the error message with which the trigger `fence` refuses a commit. The text reads like the error of a
 * check constraint, because Ponder ends at once after the error of a check constraint. After any other error, Ponder
 * retries for a minute.
 */
export const FENCE_MESSAGE = 'violates check constraint "fence"'

/**
 * SQL that creates Ponder's tables `_ponder_meta` and `_ponder_checkpoint`, and the table `_fence`. Ponder writes to
 * `_ponder_checkpoint` when Ponder commits rows. Ponder writes to `_ponder_meta` when Ponder takes its lock, and at
 * each heartbeat. `_fence` contains the state that the supervisor publishes to the services.
 */
const stateTables = `
  CREATE TABLE IF NOT EXISTS "$schema"._ponder_meta (key text PRIMARY KEY, value jsonb NOT NULL);
  CREATE TABLE IF NOT EXISTS "$schema"._ponder_checkpoint (
    chain_name text PRIMARY KEY,
    chain_id bigint NOT NULL,
    safe_checkpoint varchar(75) NOT NULL,
    latest_checkpoint varchar(75) NOT NULL,
    finalized_checkpoint varchar(75) NOT NULL
  );
  CREATE TABLE IF NOT EXISTS "$schema"._fence (
    is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    origin text NOT NULL,
    recovers_to bigint
  );`

/**
 * SQL of the trigger function that refuses commits. The trigger accepts every commit of a session that is not Ponder's.
 * It accepts a commit of Ponder only while the supervisor's session (`market.origin`) is connected to this server.
 */
const fenceFunction = `
  CREATE OR REPLACE FUNCTION "$schema".fence() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    origin text := coalesce(current_setting('market.origin', true), '');
  BEGIN
    IF origin = '' AND NOT starts_with(current_setting('application_name'), TG_TABLE_SCHEMA || '_') THEN
      RETURN NEW;
    END IF;
    IF origin <> '' AND EXISTS (
      SELECT FROM pg_stat_get_activity(split_part(origin, '/', 1)::int)
      WHERE extract(epoch FROM backend_start)::text = split_part(origin, '/', 2)
    ) THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the session that holds the lock of % is not on this server: ${FENCE_MESSAGE}', TG_TABLE_SCHEMA;
  END $$;`

/**
 * Makes every commit of Ponder depend on the database session that holds the supervisor's lock. A commit succeeds only
 * while this session is connected to the server that commits. A restart of the server ends the session.
 *
 * A server that crashed, was restored or was replaced by a standby may have lost the last blocks. Ponder would continue
 * from its memory and never write these blocks again.
 *
 * This function creates the tables `_ponder_meta` and `_ponder_checkpoint` before Ponder starts, and the trigger
 * `fence` on both tables. The trigger therefore also checks Ponder's first commit.
 * @param origin the session that holds the lock, `<process id>/<start>`
 */
export async function raiseFence(sql: postgres.Sql, schema: string, origin: string): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`SET LOCAL client_min_messages = warning`
    await transaction`CREATE SCHEMA IF NOT EXISTS ${transaction(schema)}`
    await transaction.unsafe(inSchema(stateTables, schema))
    await transaction.unsafe(inSchema(fenceFunction, schema))
    for (const table of ['_ponder_meta', '_ponder_checkpoint']) {
      await transaction.unsafe(triggerOn(schema, table, 'INSERT OR UPDATE'))
    }
    await transaction`
      INSERT INTO ${transaction(schema)}._fence (origin) VALUES (${origin})
      ON CONFLICT (is_one) DO UPDATE SET origin = excluded.origin`
  })
}

/**
 * Creates the trigger `fence` on Ponder's `_reorg__` tables. After a reorg, Ponder undoes the rows of the replaced
 * blocks. The undo writes no checkpoint, so the triggers of `raiseFence` do not run. The undo deletes rows from the
 * `_reorg__` tables, so the trigger of this function runs.
 * @throws if the schema has no `_reorg__` table
 */
export async function raiseRevertFence(sql: postgres.Sql, schema: string): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = to_regnamespace(${schema}) AND relkind = 'r' AND starts_with(relname, '_reorg__')`
  if (rows.length === 0) throw new Error(`${schema} has no tables of undone rows, which Ponder makes`)
  for (const { name } of rows) await sql.unsafe(triggerOn(schema, name, 'DELETE'))
}

/**
 * Returns a database URL whose sessions set `market.origin`. The fence checks commits by this value.
 * @param origin the session that holds the lock, `<process id>/<start>`
 */
export function withOrigin(databaseUrl: string, origin: string): string {
  const url = new URL(databaseUrl)
  const others = url.searchParams.get('options')
  url.searchParams.set('options', [others, `-c market.origin=${origin}`].filter((option) => option !== null).join(' '))
  return url.href
}

function triggerOn(schema: string, table: string, events: string): string {
  return `CREATE OR REPLACE TRIGGER fence BEFORE ${events} ON "${schema}"."${table}"
    FOR EACH STATEMENT EXECUTE FUNCTION "${schema}".fence()`
}

function inSchema(statement: string, schema: string): string {
  return statement.replaceAll('$schema', schema)
}
