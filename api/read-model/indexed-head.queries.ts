import type { Queryable } from '../db/client.ts'
import { DATA_VERSION } from '../db/data-version.ts'
import { run, statement } from '../db/statement-text.ts'
import { positionText } from './replicas/read-position.ts'

/** The newest block whose rows the read model holds. The timestamp is in Unix seconds. */
export interface IndexedHead {
  blockNumber: bigint
  blockTimestamp: bigint
  /** False while rows are missing (they are written for the first time, or again), or are of a newer release. */
  ready: boolean
  /** The height up to which rows that were there are written again; null: none are. */
  recoversTo: bigint | null
  /** The oldest data version of a service that may read these rows. */
  oldestVersion: number
  /** Deployment that wrote them. */
  schemaVersion: string
}

/** How far the read model is; null before its first block. */
export async function findIndexedHead(sql: Queryable): Promise<IndexedHead | null> {
  const [head] = await sql<IndexedHead[]>`
    select block_number, block_timestamp, ready and oldest_version <= ${DATA_VERSION} as ready, recovers_to, oldest_version,
      schema_version
    from indexed_head`
  return head ?? null
}

/** Why this release may not read the rows; null: it may. */
export function findRowsFault(head: IndexedHead | null): string | null {
  if (head === null || head.oldestVersion <= DATA_VERSION) return null
  return (
    `this service has data version ${DATA_VERSION}, and the rows of ${head.schemaVersion} need ${head.oldestVersion} or newer: ` +
    'start a release of that version; to go back, first start the older indexer and wait until its rows are served'
  )
}

/** Height of that block; -1 before the first. */
export async function findIndexedBlock(sql: Queryable): Promise<bigint> {
  return (await findIndexedHead(sql))?.blockNumber ?? -1n
}

/** What decides about answers that are made of the indexer's rows, as one statement reads it. */
export interface IndexedState {
  /** `sharedVersion`. */
  shared: string
  /** Another after every commit of the indexer; null when it has written nothing yet. */
  indexed: string | null
  /** `positionText`. */
  position: string
}

/** The state of the rows now. */
export async function findIndexedState(sql: Queryable): Promise<IndexedState> {
  const [state] = await run<IndexedState[]>(
    sql,
    statement`
      select ${sharedVersion(statement)} as shared, ${indexedVersion(statement)} as indexed,
        ${positionText(statement)} as position`,
  )
  if (state === undefined) throw new Error('a select without a table has one row')
  return state
}

/** The state and the time of the chain head in one text; null when there are no rows yet. */
export function toStateText({ shared, indexed }: Pick<IndexedState, 'shared' | 'indexed'>, now: bigint): string | null {
  return indexed === null ? null : `${indexed} ${shared} ${now}`
}

/** `IndexedState.indexed`: another after every commit, of a reorg too. */
export function indexedVersion(sql: Queryable) {
  return sql`(select version from indexed_head)`
}

/**
 * What all answers depend on: the tables that are served, whether entries are paused, and how often rows changed that
 * are written once. Versions are numbers of transactions, which a server that was restored, or that took over, counts
 * again from an earlier one: the time of its start, and the origin of the indexer's commits, tell them apart.
 */
export function sharedVersion(sql: Queryable) {
  return sql`
    row(
      pg_postmaster_start_time(), (select schema_version || ' ' || coalesce(origin, '') from indexed_head),
      (select paused from market_config),
      (select count from service.content_changes)
    )::text`
}
