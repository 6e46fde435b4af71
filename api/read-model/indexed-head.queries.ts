import { keepingPlans, type Queryable } from '../db/client.ts'
import { DATA_VERSION } from '../db/data-version.ts'
import { run, statement } from '../db/statement-text.ts'
import { positionText } from './replicas/read-position.ts'

/** The newest indexed block. `blockTimestamp` is in Unix seconds. */
export interface IndexedHead {
  blockNumber: bigint
  blockTimestamp: bigint
  /**
   * True if this release may read the rows. False while the indexer writes its rows for the first time or again, and if
   * the rows need a newer release.
   */
  ready: boolean
  /**
   * The block that the rows had reached before the indexer reverted them (a recovery). The indexer must write its rows
   * up to this block again. Null if no recovery runs.
   */
  recoversTo: bigint | null
  /** The oldest data version of a service that may read these rows. */
  oldestVersion: number
  /** The database schema of the indexer deployment that wrote these rows. */
  schemaVersion: string
}

/** Returns the newest indexed block, or null before the first block is indexed. */
export async function findIndexedHead(sql: Queryable): Promise<IndexedHead | null> {
  const [head] = await keepingPlans(sql)<IndexedHead[]>`
    select block_number, block_timestamp, ready and oldest_version <= ${DATA_VERSION} as ready, recovers_to, oldest_version,
      schema_version
    from indexed_head`
  return head ?? null
}

/** Returns the reason why this release may not read the rows. Returns null if this release may read them. */
export function findRowsFault(head: IndexedHead | null): string | null {
  if (head === null || head.oldestVersion <= DATA_VERSION) return null
  return (
    `this service has data version ${DATA_VERSION}, and the rows of ${head.schemaVersion} need ${head.oldestVersion} or newer: ` +
    'start a release of that version; to go back, first start the older indexer and wait until its rows are served'
  )
}

/** Returns the number of the newest indexed block, or -1 before the first block is indexed. */
export async function findIndexedBlock(sql: Queryable): Promise<bigint> {
  return (await findIndexedHead(sql))?.blockNumber ?? -1n
}

/** The versions of the data from which answers are built. One statement reads all versions. */
export interface IndexedState {
  /**
   * The text that `sharedVersion` selects. The text changes when data changes that every answer depends on, such as the
   * market's pause of new entries.
   */
  shared: string
  /**
   * The version of the indexer's rows. Every commit of the indexer changes the version. Null until the first commit.
   */
  indexed: string | null
  /** The text that `positionText` selects: the database changes that are visible to the statement. */
  position: string
}

/** Returns the present versions of the data that answers are built from. */
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

/**
 * Returns `indexed`, `shared` and `now` (the timestamp of the latest block) as one text. Returns null until the indexer
 * has committed rows.
 */
export function toStateText({ shared, indexed }: Pick<IndexedState, 'shared' | 'indexed'>, now: bigint): string | null {
  return indexed === null ? null : `${indexed} ${shared} ${now}`
}

/**
 * Returns the SQL of `IndexedState.indexed`: the version of the indexer's rows. Every commit of the indexer changes the
 * version.
 */
export function indexedVersion(sql: Queryable) {
  return sql`(select version from indexed_head)`
}

/**
 * Returns the SQL of a text that changes when data changes that every answer depends on: the served tables, the
 * market's pause of new entries, or the task contents.
 *
 * The text also includes the start time of the database server and the origin of the indexer's commits. The version of
 * the indexer's rows (`IndexedState.indexed`) is made of transaction numbers. After a restore or promotion, the server
 * can assign the same transaction numbers again, so that version alone would not show the change.
 */
export function sharedVersion(sql: Queryable) {
  return sql`
    row(
      pg_postmaster_start_time(), (select schema_version || ' ' || coalesce(origin, '') from indexed_head),
      (select paused from market_config),
      (select count from service.content_changes)
    )::text`
}
