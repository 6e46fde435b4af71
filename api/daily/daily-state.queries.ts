import type { Queryable } from '../db/client.ts'

/** Up to which day the sums are made. */
export interface DailyState {
  schemaVersion: string
  definition: number
  /** The last day, such as `2030-01-31`. */
  day: string
}

/** The indexer's newest block and deployment, with the state of the sums. */
export interface DailyFacts {
  head: bigint
  /** Time of the head, Unix seconds. */
  headTime: bigint
  schemaVersion: string
  state: DailyState | null
}

/** Lets one process fill at a time. First in a transaction: its snapshot then has what the process before stored. */
export async function lockDailyState(tx: Queryable): Promise<void> {
  await tx`lock table service.daily_state in share row exclusive mode`
}

/** Finds both; null while rows may be missing. */
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

/** Finds the time of the first row that money or a task can follow from, Unix seconds; null: there is none. */
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

/** Records the last day that is filled. */
export async function setDailyState(tx: Queryable, { schemaVersion, definition, day }: DailyState): Promise<void> {
  await tx`
    insert into service.daily_state (schema_version, definition, day) values (${schemaVersion}, ${definition}, ${day})
    on conflict (is_one) do update set schema_version = excluded.schema_version, definition = excluded.definition,
      day = excluded.day`
}

/** Removes the sums of the days outside of these, which a deployment before left. */
export async function deleteDaysBeside(tx: Queryable, { first, last }: { first: string; last: string }): Promise<void> {
  for (const table of ['daily_activity', 'daily_flow', 'daily_balance', 'daily_money']) {
    await tx`delete from ${tx(`service.${table}`)} where day < ${first} or day > ${last}`
  }
}
