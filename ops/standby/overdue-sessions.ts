import type { Sql } from 'postgres'

/** The maximum busy time and idle time for the sessions of a login. */
export interface SessionLimit {
  login: string
  /**
   * Maximum seconds since the start of the session's transaction. If the current statement started before the
   * transaction, the seconds count from the start of the statement.
   */
  busySeconds: number
  /**
   * Maximum seconds between the end of the last statement and now, for a session outside of a transaction; null if the
   * time is unlimited.
   */
  idleSeconds: number | null
}

/** A session that exceeded its limit and was requested to end. */
export interface OverdueSession {
  pid: number
  login: string
  /** Time at which the session connected. Sessions with the same pid differ in this time. */
  connectedAt: string
  /** State of the session in `pg_stat_activity`. */
  state: string
  seconds: number
}

/** The state of the PostgreSQL server. */
export interface StandbyState {
  isStandby: boolean
  /** True if the server receives the write-ahead log of its primary. */
  isStreaming: boolean
  /**
   * True if the replay of the primary's changes is paused although no export is connected. Only an export needs the
   * pause.
   */
  isPausedForNone: boolean
  /**
   * Age of the newest replayed commit, in seconds. Zero: the primary is connected and everything received is replayed.
   * Null: the server has not replayed a commit yet.
   */
  replayLagSeconds: number | null
}

/** Reads whether the server is a standby, and the state of its replay. */
export async function readStandbyState(sql: Sql): Promise<StandbyState> {
  const [state] = await sql<StandbyState[]>`
    SELECT pg_is_in_recovery() AS "isStandby",
      receiver.is_streaming AS "isStreaming",
      CASE WHEN receiver.is_streaming AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
        ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END AS "replayLagSeconds",
      CASE WHEN pg_is_in_recovery() THEN CASE pg_get_wal_replay_pause_state() WHEN 'not paused' THEN false
        ELSE NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'market_exporter') END
      ELSE false END AS "isPausedForNone"
    FROM (SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming') AS is_streaming) AS receiver`
  if (state === undefined) throw new Error('the server names no state')
  return state
}

/** Resumes the replay of a standby. An export (ops/export) pauses the replay while it reads. */
export async function resumeReplay(sql: Sql): Promise<void> {
  await sql`SELECT pg_wal_replay_resume()`
}

/**
 * Asks every session that exceeds its login's limit to end, and returns these sessions. Does nothing on a server that
 * is not a standby. The time of a busy session counts from the start of its transaction. If one statement runs several
 * transactions, the time counts from the start of the statement.
 */
export async function endOverdueSessions(sql: Sql, limits: readonly SessionLimit[]): Promise<OverdueSession[]> {
  return await sql<OverdueSession[]>`
    SELECT activity.pid, activity.usename AS login, activity.backend_start::text AS "connectedAt",
      coalesce(activity.state, 'connecting') AS state, round(age.seconds)::int AS seconds,
      pg_terminate_backend(activity.pid) AS asked
    FROM pg_stat_activity AS activity
    JOIN json_to_recordset(${JSON.stringify(limits)}::text::json)
      AS bound (login text, "busySeconds" float8, "idleSeconds" float8) ON bound.login = activity.usename
    CROSS JOIN LATERAL (
      SELECT extract(epoch FROM clock_timestamp() - CASE activity.state
        WHEN 'idle' THEN activity.state_change
        WHEN 'active' THEN least(activity.xact_start, activity.query_start)
        ELSE coalesce(activity.xact_start, activity.backend_start)
      END)::float8 AS seconds
    ) AS age
    WHERE pg_is_in_recovery() AND activity.backend_type = 'client backend'
      AND age.seconds > CASE activity.state WHEN 'idle' THEN bound."idleSeconds" ELSE bound."busySeconds" END
    ORDER BY age.seconds DESC`
}
