import type { Address, Hex } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import { listOpenVisibilities } from '../../../domain/visibility.ts'
import type { Part } from '../list/along-index.ts'
import { assignedStream, entryStream, newestOf, publicContent, requestedStream, type Stream } from './task-streams.ts'

export const inboxSections = ['asRequester', 'asWorker', 'invitedPrivateTasks'] as const
export type InboxSection = (typeof inboxSections)[number]

/**
 * The position of the last entry on a page. The next page begins after this entry. Running tasks are before ended
 * tasks. Within each of these two groups, the newest task is first.
 */
export interface InboxPosition {
  running: boolean
  createdAtMs: bigint
}

/** A task in a section of the inbox. */
export interface InboxEntry extends InboxPosition {
  id: Hex
  /**
   * True if everyone may see the address's role in the task. If false, the task's policy for submissions decides who
   * may see the role.
   */
  isPublicPart: boolean
}

export interface InboxOptions {
  /**
   * True if the caller is the address itself. The caller then gets all tasks of the address. Any other caller gets only
   * the public roles of the address in listed tasks.
   */
  isOwn: boolean
  sections: readonly InboxSection[]
  after?: InboxPosition | undefined
  /** The largest number of tasks in each section. */
  limit: number
}

/**
 * Lists the first tasks of each section in one statement. Running tasks are before ended tasks. In each group, the
 * newest task is first.
 */
export async function listInbox(
  sql: Queryable,
  address: Address,
  options: InboxOptions,
): Promise<Map<InboxSection, InboxEntry[]>> {
  const query = inboxQuery(sql, address, options)
  if (query === null) return new Map()
  const rows = await sql<(InboxEntry & { section: InboxSection })[]>`${query}`
  return new Map(
    options.sections.map((section) => [
      section,
      inOrder(rows.filter((row) => row.section === section)).slice(0, options.limit),
    ]),
  )
}

/** Returns the SQL statement of `listInbox`. Returns null if no section can have a row. */
export function inboxQuery(sql: Queryable, address: Address, options: InboxOptions): Part | null {
  const parts = options.sections.flatMap((section) =>
    [true, false].flatMap((isRunning) => listParts(sql, { ...options, address, section, running: isRunning })),
  )
  return parts.length === 0 ? null : parts.reduce((sum, part) => sql`${sum} union all ${part}`)
}

interface PartOptions extends InboxOptions {
  address: Address
  section: InboxSection
  running: boolean
}

/**
 * Returns the SQL subqueries that list the tasks of one section: the running tasks if `part.running` is true, else the
 * ended tasks. If running tasks are asked for and the previous page has reached the ended tasks, returns an empty list.
 */
function listParts(sql: Queryable, part: PartOptions) {
  const { after, running, section } = part
  if (after !== undefined && running && !after.running) return []
  const before = after !== undefined && after.running === running ? after.createdAtMs : undefined
  const options = { ...part, before }
  const toPart = (ids: Part) =>
    sql`select ${section}::text as section, ${running}::bool as running, found.* from (${ids}) as found`
  const others = part.isOwn ? sql`` : publicContent(sql)
  switch (section) {
    case 'asRequester':
      return [toPart(newestOf(sql, withJoin(sql, requestedStream(sql, running), others), options))]
    case 'asWorker':
      return [
        toPart(newestOf(sql, withJoin(sql, assignedStream(sql, running), others), options)),
        toPart(newestOf(sql, toEntryStream(sql, part), options)),
      ]
    case 'invitedPrivateTasks':
      return part.isOwn ? [toPart(invited(sql, options))] : []
  }
}

function withJoin(sql: Queryable, stream: Stream, join: Part): Stream {
  return { ...stream, columns: sql`${stream.columns}, true as is_public_part`, from: sql`${stream.from} ${join}` }
}

/**
 * Returns the stream of tasks that a worker entered, for example by a bid. For callers other than the worker, the
 * stream has only tasks in which the worker's entry is public.
 */
function toEntryStream(sql: Queryable, { isOwn, running }: PartOptions): Stream {
  const stream = entryStream(sql, running)
  const columns = sql`${stream.columns}, e.pitched or e.awarded as is_public_part`
  if (isOwn) return { ...stream, columns }
  const visibilities = (stage: 'active' | 'ended') => sql`${listOpenVisibilities(stage)}::text[]`
  // The same rule as api/domain/access, which checks every found row again.
  const openVisibilities = running
    ? visibilities('active')
    : sql`
        case when t.status in ('completed', 'expired') or t.status = 'cancelled' and (
          select verdict from evaluation where task_id = t.id and timed_out_at is null
        ) = 'reject' then ${visibilities('ended')} else ${visibilities('active')} end`
  return {
    ...stream,
    columns,
    from: sql`${stream.from} join task t on t.id = e.task_id ${publicContent(sql)}`,
    condition: sql`${stream.condition} and (e.pitched or e.awarded or content.submission_visibility = any(${openVisibilities}))`,
  }
}

/**
 * Returns the SQL of the private tasks to which the address is invited. Tasks in which the address has a role are not
 * included.
 */
function invited(sql: Queryable, { address, running, before, limit }: PartOptions & { before: bigint | undefined }) {
  return sql`
    select t.id, t.created_at_ms, true as is_public_part
    from service.task_viewers viewer
    join task t on t.requester = viewer.requester and t.created_content_hash = viewer.content_hash
    join service.task_content content
      on content.requester = t.requester and content.content_hash = t.created_content_hash
      and content.task_visibility = 'private'
    where viewer.viewer = ${address} and (t.ended_at is null) = ${running}
      and t.requester <> ${address} and t.worker is distinct from ${address}
      and not exists (select from task_entry where id = t.id || ':' || ${address}::text)
      ${before === undefined ? sql`` : sql`and t.created_at_ms < ${before}`}
    order by t.created_at_ms desc limit ${limit}`
}

/**
 * Returns the entries in order, each task once. A task can occur twice, because a worker may be assigned to a task that
 * the worker has entered.
 */
function inOrder(rows: readonly InboxEntry[]): InboxEntry[] {
  const entries = new Map<Hex, InboxEntry>()
  for (const row of rows) {
    const isPublicPart = row.isPublicPart || entries.get(row.id)?.isPublicPart === true
    entries.set(row.id, { ...row, isPublicPart })
  }
  return [...entries.values()].sort((one, other) => {
    if (one.running !== other.running) return one.running ? -1 : 1
    return Number(other.createdAtMs - one.createdAtMs)
  })
}
