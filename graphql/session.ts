import pg from 'pg'
import { DATA_VERSION } from '../api/db/data-version.ts'
import { describeMissingRows } from '../api/read-model/missing-rows.ts'
import { refuse } from './request-error.ts'
import type { IndexedHead, Row } from './schema/read-context.ts'

/** The database access of one request: one connection and one transaction. Statements are sent one after the other. */
export interface Session {
  /**
   * Opens the transaction and returns the latest indexed block; null if no block is indexed yet. @throws RequestError
   * if rows are missing because the indexer is still restoring them, or if a newer release wrote the rows
   */
  begin(): Promise<IndexedHead | null>
  /**
   * Sends a statement and returns its rows. @throws if the request has ended or an earlier statement failed; the
   * statement is not sent then
   */
  query(text: string, values: unknown[]): Promise<Row[]>
  /** Ends the transaction. Resolves when the connection has been returned to the pool. */
  end(): Promise<void>
}

/**
 * Two SQL statements in one message to the server: the first opens the transaction, and the second reads the state of
 * the index.
 */
const BEGIN = `begin isolation level repeatable read read only;
  select ready, block_number, block_timestamp, recovers_to, oldest_version from indexed_head`

/**
 * Opens the database access of one request. @param endSignal aborts when the request ends; no statement is sent after
 * that
 */
export function openSession(pool: Pick<pg.Pool, 'connect'>, endSignal: AbortSignal): Session {
  const connection = pool.connect()
  let last: Promise<unknown> = connection
  const send = <Result>(statement: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    // Each statement waits for the one before it. None is sent after a failed one, which ended the transaction.
    const result = last.then(async () => {
      endSignal.throwIfAborted()
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
      const isReady = failure === null || failure instanceof pg.DatabaseError || endSignal.reason === failure
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
