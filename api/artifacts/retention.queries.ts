import type { Queryable } from '../db/client.ts'

/** The parameters of a retention pass. */
export interface RetentionRun {
  /** The time for which an unused file stays, seconds. */
  retentionSeconds: number
  /** The most rows of one statement. */
  limit: number
}

/**
 * Claims uploads without further use: those of a bound write, which has its own copies, and those that were not
 * submitted in time. An upload that a write is binding is locked and skipped; a claimed one cannot be bound.
 * @returns the number of claimed rows
 */
export async function claimUploads(sql: Queryable, { retentionSeconds, limit }: RetentionRun): Promise<number> {
  const { count } = await sql`
    update service.uploads set swept_at = now() where id in (
      select id from service.uploads
      where swept_at is null
        and (intent_id is not null or created_at <= now() - make_interval(secs => ${retentionSeconds}::float8))
      limit ${limit} for update skip locked)`
  return count
}

/**
 * Claims files that no write was bound with in time: their request is over, however slow it was. @returns the number of
 * claimed rows
 */
export async function claimUnboundFiles(sql: Queryable, { retentionSeconds, limit }: RetentionRun): Promise<number> {
  const { count } = await sql`
    update service.stored_files set swept_at = now() where id in (
      select id from service.stored_files
      where intent_id is null and swept_at is null
        and created_at <= now() - make_interval(secs => ${retentionSeconds}::float8)
      order by created_at limit ${limit} for update skip locked)`
  return count
}

/**
 * Claims the files of writes that failed for good, and their descriptions. A failure is final once its block is safe.
 * The failure of a write that was never mined is final once the read model has covered a further retention, and a day
 * in which `reopenContradicted` checks. Files stay if the worker committed the same hash by a direct call.
 * @returns the number of claimed rows
 */
export async function claimFilesOfFailedWrites(
  sql: Queryable,
  { retentionSeconds, limit }: RetentionRun,
): Promise<number> {
  const { count } = await sql`
    with taken as (
      select f.id
      from service.intents i join service.stored_files f on f.intent_id = i.id
      where i.status = 'failed' and i.operation like 'submissions.%'
        and i.status_at <= now() - greatest(make_interval(secs => ${retentionSeconds}::float8), interval '1 day')
        and i.status_at <= (select to_timestamp(block_timestamp::float8) from indexed_head)
          - make_interval(secs => ${retentionSeconds}::float8)
        and (i.block_number is null or not i.watched)
        and f.swept_at is null
        and not exists (
          select from service.artifacts a
          join submission s on s.task_id = a.task_id and s.worker = a.worker and s.deliverable = a.deliverable
          where a.id = f.id)
      limit ${limit} for update of i, f skip locked
    ), untold as (
      delete from service.artifacts where id in (select id from taken)
    )
    update service.stored_files set swept_at = now() where id in (select id from taken)`
  return count
}

/**
 * Claims unneeded files of a request unless they are bound: the answer to a COMMIT can be lost.
 * @returns the claimed ids
 */
export async function claimRefusedFiles(sql: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update service.stored_files set swept_at = now()
    where id = any(${[...ids]}::uuid[]) and intent_id is null and swept_at is null
    returning id`
  return rows.map(({ id }) => id)
}

/** The areas of storage, each with its table. */
export type Area = 'uploads' | 'artifacts'

/** A page of claimed files of an area, in the order of their ids. */
export interface FilePage {
  /** The page begins after this id. */
  after: string
  limit: number
}

/** Lists claimed files whose bytes are to be deleted. */
export async function listFilesToDelete(sql: Queryable, area: Area, { after, limit }: FilePage): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from ${tableOf(sql, area)}
    where swept_at is not null and emptied_at is null and id > ${after}
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Records that the bytes were deleted. */
export async function recordDeleted(sql: Queryable, area: Area, ids: readonly string[]): Promise<void> {
  await sql`
    update ${tableOf(sql, area)} set emptied_at = now()
    where id = any(${[...ids]}::uuid[]) and swept_at is not null and emptied_at is null`
}

/** Lists files whose bytes were deleted a retention ago: a process that was still writing them has ended since. */
export async function listFilesToPurge(
  sql: Queryable,
  area: Area,
  { after, limit, retentionSeconds }: FilePage & RetentionRun,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from ${tableOf(sql, area)}
    where emptied_at <= now() - make_interval(secs => ${retentionSeconds}::float8) and id > ${after}
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Deletes the rows of files whose bytes are gone. */
export async function purgeFiles(sql: Queryable, area: Area, ids: readonly string[]): Promise<void> {
  await sql`delete from ${tableOf(sql, area)} where id = any(${[...ids]}::uuid[]) and emptied_at is not null`
}

function tableOf(sql: Queryable, area: Area) {
  return area === 'uploads' ? sql`service.uploads` : sql`service.stored_files`
}
