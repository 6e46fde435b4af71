import type { Queryable } from '../db/client.ts'

/**
 * The progress of the daily sums: the latest day whose sums are stored. The indexer deployment and the version of the
 * rules (`DEFINITION`) tell if the stored sums are still valid.
 */
export interface DailyState {
  schemaVersion: string
  definition: number
  /** The latest day whose sums are stored, such as `2030-01-31`. */
  day: string
}

/** The indexer's newest block and deployment, and the progress of the daily sums. */
export interface DailyFacts {
  head: bigint
  /** The time of the block `head`, in Unix seconds. */
  headTime: bigint
  schemaVersion: string
  state: DailyState | null
}

/**
 * Locks the progress, so only one process at a time fills days. The lock must be the first statement of the
 * transaction. The transaction's snapshot then includes the rows that the previous holder of the lock stored.
 */
export async function lockDailyState(tx: Queryable): Promise<void> {
  await tx`lock table service.daily_state in share row exclusive mode`
}

/**
 * Returns the indexer's newest block and the progress of the daily sums. Returns null while the indexer's tables may be
 * incomplete.
 */
export async function findDailyFacts(sql: Queryable): Promise<DailyFacts | null> {
  const [row] = await sql<(Omit<DailyFacts, 'state'> & { stored: DailyState | null })[]>`
    select head.block_number as head, head.block_timestamp as head_time, coalesce(head.schema_version, '') as schema_version,
      case when state.day is not null then json_build_object(
        'schemaVersion', state.schema_version, 'definition', state.definition, 'day', state.day) end as stored
    from indexed_head head left join service.daily_state state on true
    where head.ready`
  if (row === undefined) return null
  const { stored, ...head } = row
  return { ...head, state: stored }
}

/** Returns the time in Unix seconds of the first row about a task or money. Returns null if no such row exists. */
export async function findFirstTime(sql: Queryable): Promise<bigint | null> {
  const [row] = await sql<{ first: bigint | null }[]>`
    select least(
      (select block_timestamp from market_event order by ordinal limit 1),
      (select block_timestamp from task_event where name = 'TaskCreated' order by block_timestamp limit 1),
      (select block_timestamp from relayed_intent order by block_number limit 1),
      (select block_timestamp from arrival order by block_number limit 1),
      (select min(block_timestamp) from sponsored_vault)
    ) as first`
  return row?.first ?? null
}

/**
 * Records the latest day whose daily sums are stored. Also records the indexer deployment and the version of the rules
 * (`DEFINITION`) with which the sums were computed.
 */
export async function setDailyState(tx: Queryable, { schemaVersion, definition, day }: DailyState): Promise<void> {
  await tx`
    insert into service.daily_state (schema_version, definition, day) values (${schemaVersion}, ${definition}, ${day})
    on conflict (is_one) do update set schema_version = excluded.schema_version, definition = excluded.definition,
      day = excluded.day`
}

/** Deletes the sums of days before `first` and after `last`. An earlier deployment may have stored such days. */
export async function deleteDaysBeside(tx: Queryable, { first, last }: { first: string; last: string }): Promise<void> {
  for (const table of ['daily_activity', 'daily_flow', 'daily_balance', 'daily_money']) {
    await tx`delete from ${tx(`service.${table}`)} where day < ${first} or day > ${last}`
  }
}
