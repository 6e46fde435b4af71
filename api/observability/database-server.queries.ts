import type { Queryable } from '../db/client.ts'

/** Figures of the database server that the service's login may read. */
export interface DatabaseServer {
  sizeBytes: number
  /** Position in the write-ahead log; null at a standby. */
  walBytes: number | null
  /** Log that the slowest replication slot keeps; 0 without a slot. */
  retainedWalBytes: number
  /** Connections that stream the log: of other logins only their number is shown. */
  standbys: number
}

/** Reads them; the size of the database counts its files, so this is asked seldom. */
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
