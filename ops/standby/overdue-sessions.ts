import type { Sql } from 'postgres'

/** How long a session of a login may be busy, and be idle. */
export interface SessionLimit {
  login: string
  /** From the begin of its statement, or of the transaction around it. */
  busySeconds: number
  /** From the end of its last statement outside of a transaction; null: any time. */
  idleSeconds: number | null
}

/** A session that was asked to end. */
export interface OverdueSession {
  pid: number
  login: string
  /** When it connected: tells it from a later session with the same pid. */
  connectedAt: string
  /** As `pg_stat_activity` has it. */
  state: string
  seconds: number
}

/** What the server says of itself. */
export interface StandbyState {
  isStandby: boolean
  /** It receives the log of its primary. */
  isStreaming: boolean
  /** Its replay is paused, and no session of an export is there. */
  isPausedForNone: boolean
  /**
   * Age of the newest commit that it replayed, seconds; 0 where it replayed all that it received from a connected primary, which
   * may be idle; null: it replayed none yet.
   */
  replayLagSeconds: number | null
}

/** Reads what the server is. */
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

/** Lets a standby go on with its replay. An export pauses it while it reads (ops/export). */
export async function resumeReplay(sql: Sql): Promise<void> {
  await sql`SELECT pg_wal_replay_resume()`
}

/**
 * Asks every session that is older than its login's limit to end, and lists them. On a server that is no standby, there is
 * none. A statement of several transactions counts from its begin.
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
