import type { Queryable } from '../db/client.ts'

/** The figures of the database server that the service's login may read. */
export interface DatabaseServer {
  sizeBytes: number
  /** The position in the write-ahead log; null on a standby. */
  walBytes: number | null
  /** The log that the slowest replication slot retains; 0 without a slot. */
  retainedWalBytes: number
  /** The connections that stream the log; for other logins only their number is visible. */
  standbys: number
}

/**
 * Reads the size, the write-ahead log and the standbys of the database server. Call it rarely: the server adds the
 * sizes of all files of the database.
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
