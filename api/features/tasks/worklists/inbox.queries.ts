import type { Address, Hex } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import { listOpenVisibilities } from '../../../domain/visibility.ts'
import type { Part } from '../list/along-index.ts'
import { assignedStream, entryStream, newestOf, publicContent, requestedStream, type Stream } from './task-streams.ts'

export const inboxSections = ['asRequester', 'asWorker', 'invitedPrivateTasks'] as const
export type InboxSection = (typeof inboxSections)[number]

/** Where a section is read on: behind a task of that creation time, among the running or the ended ones. */
export interface InboxPosition {
  running: boolean
  createdAtMs: bigint
}

/** A task of a section. */
export interface InboxEntry extends InboxPosition {
  id: Hex
  /** Everyone is told that the wallet has this part in the task; else the policy of its submissions decides. */
  isPublicPart: boolean
}

export interface InboxOptions {
  /** The address itself asks: everything. Others: what a listed task shows to every caller. */
  isOwn: boolean
  sections: readonly InboxSection[]
  after?: InboxPosition | undefined
  /** Of each section. */
  limit: number
}

/**
 * The first tasks of each section, running ones first, then the newest. Each part of a section is read along an index,
 * so it costs what it shows. One statement.
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

/** Its statement; null where there is nothing to look for. */
export function inboxQuery(sql: Queryable, address: Address, options: InboxOptions): Part | null {
  const parts = options.sections.flatMap((section) =>
    [true, false].flatMap((running) => listParts(sql, { ...options, address, section, running })),
  )
  return parts.length === 0 ? null : parts.reduce((sum, part) => sql`${sum} union all ${part}`)
}

interface PartOptions extends InboxOptions {
  address: Address
  section: InboxSection
  running: boolean
}

/** The parts of a section among running or ended tasks; none when the page before has passed them. */
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

/** The entries of a worker; for others those that every caller sees below the task. */
function toEntryStream(sql: Queryable, { isOwn, running }: PartOptions): Stream {
  const stream = entryStream(sql, running)
  const columns = sql`${stream.columns}, e.pitched or e.awarded as is_public_part`
  if (isOwn) return { ...stream, columns }
  const visibilities = (stage: 'active' | 'ended') => sql`${listOpenVisibilities(stage)}::text[]`
  // As api/domain/access says it, and says again of every row that is found.
  const open = running
    ? visibilities('active')
    : sql`
        case when t.status in ('completed', 'expired') or t.status = 'cancelled' and (
          select verdict from evaluation where task_id = t.id and timed_out_at is null
        ) = 'reject' then ${visibilities('ended')} else ${visibilities('active')} end`
  return {
    ...stream,
    columns,
    from: sql`${stream.from} join task t on t.id = e.task_id ${publicContent(sql)}`,
    condition: sql`${stream.condition} and (e.pitched or e.awarded or content.submission_visibility = any(${open}))`,
  }
}

/** Private tasks that name the address as a viewer, and in which it has no part. */
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

/** Each task once: a worker may be assigned to what it has entered. */
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
