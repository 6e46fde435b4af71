import pg from 'pg'
import { DATA_VERSION } from '../api/db/data-version.ts'
import { describeMissingRows } from '../api/read-model/missing-rows.ts'
import { refuse } from './request-error.ts'
import type { IndexedHead, Row } from './schema/read-context.ts'

/** The database for one request: one connection, one transaction, one statement at a time. */
export interface Session {
  /** Opens the transaction. @throws RequestError while the indexer writes rows, or for rows of a newer release */
  begin(): Promise<IndexedHead | null>
  /** Sends a statement. @throws the reason of `ended`, or the first failure of another statement, without sending it */
  query(text: string, values: unknown[]): Promise<Row[]>
  /** Ends the transaction. Resolves when the connection is free again. */
  end(): Promise<void>
}

/** One message that opens the transaction and reads the state and its head. */
const BEGIN = `begin isolation level repeatable read read only;
  select ready, block_number, block_timestamp, recovers_to, oldest_version from indexed_head`

/** Opens a session. @param ended aborts at the request's end; the session sends no statement after it */
export function openSession(pool: Pick<pg.Pool, 'connect'>, ended: AbortSignal): Session {
  const connection = pool.connect()
  let last: Promise<unknown> = connection
  const send = <Result>(statement: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    // Each statement waits for the one before it. None is sent after a failed one, which ended the transaction.
    const result = last.then(async () => {
      ended.throwIfAborted()
      return await statement(await connection)
    })
    last = result
    return result
  }
  return {
    begin: async () => toHead(await send((client) => client.query(BEGIN) as unknown as Promise<pg.QueryResult[]>)),
    query: async (text, values) => (await send((client) => client.query<Row>(text, values))).rows,
    end: async () => {
      const failure = await last.then(
        () => null,
        (error: unknown) => error,
      )
      const client = await connection.catch(() => null)
      if (client === null) return
      // After an answer of the server the connection is ready; after another failure a statement may still run on it.
      const isReady = failure === null || failure instanceof pg.DatabaseError || ended.reason === failure
      const isFree =
        isReady &&
        (await client.query('rollback').then(
          () => true,
          () => false,
        ))
      client.release(!isFree)
    },
  }
}

function toHead([, { rows = [] } = {}]: Partial<pg.QueryResult>[]): IndexedHead | null {
  const [head] = rows
  if (head === undefined) return null
  if (!head.ready || head.oldest_version > DATA_VERSION) {
    const reason = describeMissingRows({
      blockNumber: BigInt(head.block_number),
      recoversTo: head.recovers_to === null ? null : BigInt(head.recovers_to),
      oldestVersion: head.oldest_version,
    })
    refuse('INDEX_RECOVERING', `${reason} Send the request again.`, { 'Retry-After': '2' })
  }
  return { blockNumber: head.block_number, blockTimestamp: head.block_timestamp }
}
