import type { Queryable } from '../db/client.ts'

/** The measurements of the database server that the service's database login may read. */
export interface DatabaseServer {
  sizeBytes: number
  /** The position in the write-ahead log, in bytes; null on a standby. */
  walBytes: number | null
  /**
   * The size in bytes of the write-ahead log that the slowest replication slot retains. 0 if the server has no
   * replication slot.
   */
  retainedWalBytes: number
  /**
   * The number of connections that stream the write-ahead log. The service's database login can read nothing more about
   * them.
   */
  standbys: number
}

/**
 * Reads the size, the write-ahead log position and the standbys of the database server. Call this function rarely,
 * because the server adds up the sizes of all files.
 */
export async function findDatabaseServer(sql: Queryable): Promise<DatabaseServer> {
  const [row] = await sql<DatabaseServer[]>`
    select pg_database_size(current_database())::float8 as size_bytes,
      (position.at - '0/0'::pg_lsn)::float8 as wal_bytes,
      coalesce((select max(position.at - restart_lsn)::float8 from pg_replication_slots), 0) as retained_wal_bytes,
      (select count(*)::int from pg_stat_replication) as standbys
    from (select case when pg_is_in_recovery() then null else pg_current_wal_lsn() end as at) as position`
  if (row === undefined) throw new Error('a select without a table answers one row')
  return row
}
