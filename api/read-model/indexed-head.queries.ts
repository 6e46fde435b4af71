import { keepingPlans, type Queryable } from '../db/client.ts'
import { DATA_VERSION } from '../db/data-version.ts'
import { run, statement } from '../db/statement-text.ts'
import { positionText } from './replicas/read-position.ts'

/** The newest block of the read model. The timestamp is in Unix seconds. */
export interface IndexedHead {
  blockNumber: bigint
  blockTimestamp: bigint
  /** False while rows are missing (they are written for the first time, or again), or are of a newer release. */
  ready: boolean
  /** The height up to which existing rows are written again; null: none are. */
  recoversTo: bigint | null
  /** The oldest data version of a service that may read these rows. */
  oldestVersion: number
  /** The deployment that wrote them. */
  schemaVersion: string
}

/** Returns the progress of the read model; null before its first block. */
export async function findIndexedHead(sql: Queryable): Promise<IndexedHead | null> {
  const [head] = await keepingPlans(sql)<IndexedHead[]>`
    select block_number, block_timestamp, ready and oldest_version <= ${DATA_VERSION} as ready, recovers_to, oldest_version,
      schema_version
    from indexed_head`
  return head ?? null
}

/** Returns the reason why this release may not read the rows, or null. */
export function findRowsFault(head: IndexedHead | null): string | null {
  if (head === null || head.oldestVersion <= DATA_VERSION) return null
  return (
    `this service has data version ${DATA_VERSION}, and the rows of ${head.schemaVersion} need ${head.oldestVersion} or newer: ` +
    'start a release of that version; to go back, first start the older indexer and wait until its rows are served'
  )
}

/** Returns the height of that block; -1 before the first. */
export async function findIndexedBlock(sql: Queryable): Promise<bigint> {
  return (await findIndexedHead(sql))?.blockNumber ?? -1n
}

/** The state that answers from the indexer's rows depend on, read by one statement. */
export interface IndexedState {
  /** `sharedVersion`. */
  shared: string
  /** The version, which changes with every commit of the indexer; null: it has written nothing yet. */
  indexed: string | null
  /** `positionText`. */
  position: string
}

/** Returns the present state of the rows. */
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

/** Returns the state and the time of the chain head in one text; null without rows. */
export function toStateText({ shared, indexed }: Pick<IndexedState, 'shared' | 'indexed'>, now: bigint): string | null {
  return indexed === null ? null : `${indexed} ${shared} ${now}`
}

/** Returns `IndexedState.indexed`, which changes with every commit, also of a reorg. */
export function indexedVersion(sql: Queryable) {
  return sql`(select version from indexed_head)`
}

/**
 * Returns the common inputs of all answers: the served tables, the pause of entries, and the number of changes to rows
 * that are otherwise written once. Versions are transaction numbers, which a restored or promoted server counts again
 * from an earlier one; its start time and the origin of the indexer's commits distinguish them.
 */
export function sharedVersion(sql: Queryable) {
  return sql`
    row(
      pg_postmaster_start_time(), (select schema_version || ' ' || coalesce(origin, '') from indexed_head),
      (select paused from market_config),
      (select count from service.content_changes)
    )::text`
}
