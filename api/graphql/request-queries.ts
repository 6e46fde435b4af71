import pg from 'pg'
import { RequestEnded } from './failure.ts'
import { limits } from './limits.ts'

/** Where the connections come from: a pg pool. */
export type ConnectionSource = Pick<pg.Pool, 'connect'>

/** The database as one request uses it. */
export interface RequestQueries {
  /** The `query` of a pg client. @throws RequestEnded instead of sending a statement after the request's end */
  query(config: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult>
  /** Resolves when no statement of the request occupies a connection. */
  finished(): Promise<void>
}

/**
 * Runs the statements of one request, at most `limits.connectionsPerRequest` at the same time, so that requests that
 * execute together never wait for each other's connections.
 * @param ended aborts at the request's end: no statement is sent after it, and the database ends those in progress
 */
export function createRequestQueries(pool: ConnectionSource, ended: AbortSignal): RequestQueries {
  const waiting: (() => void)[] = []
  const running = new Set<Promise<unknown>>()
  let busy = 0

  async function run(config: pg.QueryConfig, values: unknown[] | undefined): Promise<pg.QueryResult> {
    if (busy === limits.connectionsPerRequest) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    try {
      return await runOnConnection(pool, { config, values, ended })
    } finally {
      // The place is handed on, so no other statement takes it in between.
      const next = waiting.shift()
      if (next === undefined) busy -= 1
      else next()
    }
  }

  return {
    query: (config, values) => {
      const statement = run(config, values)
      running.add(statement)
      const forget = () => running.delete(statement)
      statement.then(forget, forget)
      return statement
    },
    finished: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

interface Statement {
  config: pg.QueryConfig
  values: unknown[] | undefined
  ended: AbortSignal
}

async function runOnConnection(pool: ConnectionSource, { config, values, ended }: Statement): Promise<pg.QueryResult> {
  if (ended.aborted) throw new RequestEnded()
  const client = await pool.connect()
  let isUsable = true
  try {
    if (ended.aborted) throw new RequestEnded()
    return await client.query(config, values)
  } catch (error) {
    // An answer of the server leaves the connection ready; anything else may leave a statement on it.
    isUsable = error instanceof pg.DatabaseError || error instanceof RequestEnded
    throw error
  } finally {
    client.release(!isUsable)
  }
}
