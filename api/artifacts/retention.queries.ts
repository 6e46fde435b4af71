import type { Queryable } from '../db/client.ts'

/** The parameters of one run that claims and deletes unused files. */
export interface RetentionRun {
  /** The time for which an unused file is kept, in seconds. */
  retentionSeconds: number
  /** The largest number of rows that one statement claims for deletion. */
  limit: number
}

/**
 * Claims two kinds of uploads: uploads of a recorded write, because the write has its own copies, and uploads that no
 * write used within the retention time. An upload that a write is using now is skipped. A write cannot use a claimed
 * upload.
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
 * Claims for deletion the files that no write has used. Only files that were stored at least a retention time ago are
 * claimed. The retention time is longer than any request that stores files, so no running request can still use a
 * claimed file.
 * @returns the number of claimed rows
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
 * Claims the files of writes that have finally failed, and deletes the files' rows in `service.artifacts`. A write
 * qualifies when the retention time (at least one day) has passed since its failure. If the worker submitted the
 * deliverable by a direct call of the contract, the files are kept.
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
 * Marks the files of a failed request for deletion. A file that is bound to a write is not marked: the COMMIT of the
 * request may have succeeded although its answer was lost, and the write then needs the file.
 * @returns the ids of the marked files
 */
export async function claimRefusedFiles(sql: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update service.stored_files set swept_at = now()
    where id = any(${[...ids]}::uuid[]) and intent_id is null and swept_at is null
    returning id`
  return rows.map(({ id }) => id)
}

/** The storage areas. Each storage area has its own table. */
export type Area = 'uploads' | 'artifacts'

/** A page of those files in a storage area that are claimed for deletion. The files are in the order of their ids. */
export interface FilePage {
  /** The id after which the page begins; the page does not include it. */
  after: string
  limit: number
}

/** Lists the ids of files that are claimed for deletion and whose bytes are not yet deleted. */
export async function listFilesToDelete(sql: Queryable, area: Area, { after, limit }: FilePage): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from ${tableOf(sql, area)}
    where swept_at is not null and emptied_at is null and id > ${after}
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Records that the bytes of files were deleted. */
export async function recordDeleted(sql: Queryable, area: Area, ids: readonly string[]): Promise<void> {
  await sql`
    update ${tableOf(sql, area)} set emptied_at = now()
    where id = any(${[...ids]}::uuid[]) and swept_at is not null and emptied_at is null`
}

/**
 * Lists the ids of files that the caller can remove for good: their bytes were deleted at least a retention time ago. A
 * slow request may have written the bytes of a file again after the deletion. After the retention time, no such request
 * is running any more, so the caller can delete the bytes a last time.
 */
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

/** Deletes the rows of files whose bytes are deleted. */
export async function purgeFiles(sql: Queryable, area: Area, ids: readonly string[]): Promise<void> {
  await sql`delete from ${tableOf(sql, area)} where id = any(${[...ids]}::uuid[]) and emptied_at is not null`
}

function tableOf(sql: Queryable, area: Area) {
  return area === 'uploads' ? sql`service.uploads` : sql`service.stored_files`
}
