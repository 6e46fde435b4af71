import type postgres from 'postgres'
import { headChannel, idleBlockChannel } from './recovery.ts'

/**
 * SQL of the trigger function on Ponder's checkpoint table. Ponder writes the checkpoint in the transaction that
 * commits a block's rows. If the transaction wrote no table that the views of `market` read, the trigger tells
 * subscribers that the block changed no row.
 */
export const headFunction = `
  CREATE OR REPLACE FUNCTION market.notify_head() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    height text := (substr(NEW.latest_checkpoint, 27, 16)::bigint)::text;
    written bigint;
  BEGIN
    IF current_setting('track_counts')::boolean THEN
      SELECT sum(pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid)
                 + pg_stat_get_xact_tuples_deleted(oid)) INTO written
      FROM pg_class
      WHERE relnamespace = TG_TABLE_SCHEMA::regnamespace AND relkind = 'r' AND NOT starts_with(relname, '_');
      IF written = 0 THEN
        PERFORM pg_notify('${idleBlockChannel}', height);
      ELSE
        -- They count until they are sent to the statistics, which waits for a second: the next transaction would have them too.
        PERFORM pg_stat_force_next_flush();
      END IF;
    END IF;
    PERFORM pg_notify('${headChannel}', height);
    RETURN NULL;
  END $$`

/**
 * Moves the trigger that announces a new latest block. The trigger moves from the checkpoint table of the previous
 * deployment to the checkpoint table of the served deployment.
 */
export async function moveHeadTrigger(sql: postgres.TransactionSql, schema: string): Promise<void> {
  await sql.unsafe(headFunction)
  const holders = await sql<{ schema: string }[]>`
    SELECT event_object_schema AS schema FROM information_schema.triggers
    WHERE trigger_name = 'notify_head' AND event_object_table = '_ponder_checkpoint'
    GROUP BY event_object_schema`
  for (const holder of holders) {
    await sql`DROP TRIGGER notify_head ON ${sql(holder.schema)}._ponder_checkpoint`
  }
  await sql.unsafe(`
    CREATE TRIGGER notify_head AFTER INSERT OR UPDATE ON "${schema}"._ponder_checkpoint
    FOR EACH ROW EXECUTE FUNCTION market.notify_head()`)
}
