import type { Address } from 'viem'
import { areBidsSealed } from '../../protocol/sealed-bids.ts'
import type { Queryable } from '../db/client.ts'
import type { Resource } from '../domain/access/access-table.ts'
import { isFound, isInScope, scopeOf } from '../domain/visibility.ts'
import { listTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'
import { type EventFilters, listEvents, type StoredEvent } from './read-events.queries.ts'

/**
 * The largest number of entries that are read for one page. Entries that the caller may not see or did not select count
 * as well.
 */
const LOOKED_AT = 2_000
/** The largest number of entries that `readEvents` reads with one database statement. */
const AT_ONCE = 500

/** A page of the event log. */
export interface EventPage {
  events: StoredEvent[]
  /**
   * The sequence number after which the next page begins. If the page reached the end of the log, this is the number
   * of the log's last entry, even if the caller may not see this entry. Otherwise, this is the number of the last entry
   * that was checked for the page.
   */
  last: bigint
}

/** A reader of the event log, and the reader's filters. `now` is the time of the latest block in Unix seconds. */
export interface EventReader {
  caller: Address | null
  filters: EventFilters
  now: bigint
}

/**
 * Returns at most `limit` entries after the sequence number `after`. Each entry passes the filters and is visible to
 * the reader now. A page may be shorter than `limit`, because at most `LOOKED_AT` entries are read for a page.
 * @param sql a transaction that reads one snapshot of the database; `end` is the last entry of the log in this snapshot
 */
export async function readEvents(
  sql: Queryable,
  reader: EventReader,
  { after, limit, end }: { after: bigint; limit: number; end: bigint },
): Promise<EventPage> {
  const shownEvents: StoredEvent[] = []
  const { filters, caller } = reader
  let last = after
  // The first statement reads `limit` entries, because usually all are visible.
  let count = Math.min(limit, AT_ONCE)
  for (let lookedAt = 0; lookedAt < LOOKED_AT; lookedAt += count) {
    if (lookedAt > 0) count = AT_ONCE
    const entries = await listEvents(sql, { after: last, limit: count, filters, caller })
    const tasks = await listTaskAccess(sql, [...new Set(entries.flatMap(({ taskId }) => taskId ?? []))])
    for (const event of entries) {
      last = event.sequence
      if (
        event.isMatch !== false &&
        isShown(event, event.taskId === null ? undefined : tasks.get(event.taskId), reader)
      )
        shownEvents.push(event)
      if (shownEvents.length === limit) return { events: shownEvents, last }
    }
    if (entries.length < count) return { events: shownEvents, last: end }
  }
  return { events: shownEvents, last }
}

/**
 * Returns true if a caller may see an entry now. The rules are those of the GET request for the resource that the entry
 * is about.
 * @param task the task of the entry; undefined if the task does not exist
 */
export function isShown(
  event: StoredEvent,
  task: TaskAccess | undefined,
  { caller, filters, now }: EventReader,
): boolean {
  const { kind, taskId, resource, worker, addresses } = event
  if (kind === 'revealed' && addresses.length > 0 && (caller === null || !addresses.includes(caller))) return false
  if (taskId === null || resource === null) return true
  // After a reorg removed the task, only that entry is visible.
  if (task === undefined) return event.kind === 'reverted'
  const viewer = { address: caller, holdsGrant: false }
  const scope = scopeOf(resource as Resource, task, viewer)
  if (scope === null || (worker !== null && !isInScope(scope, worker))) return false
  if (resource === 'bids' && areBidsSealed(event, now) && worker !== caller) return false
  const isAskedFor = filters.taskId !== undefined || (caller !== null && filters.address === caller)
  return isAskedFor || (worker !== null && worker === caller) || isFound(task, viewer)
}
