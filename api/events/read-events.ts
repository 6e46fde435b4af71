import type { Address } from 'viem'
import { areBidsSealed } from '../../protocol/sealed-bids.ts'
import type { Queryable } from '../db/client.ts'
import type { Resource } from '../domain/access/access-table.ts'
import { isFound, isInScope, scopeOf } from '../domain/visibility.ts'
import { listTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'
import { type EventFilters, listEvents, type StoredEvent } from './read-events.queries.ts'

/** Entries that one page looks at, at most: those that the caller may not see, or did not ask for, included. */
const LOOKED_AT = 2_000
/** Entries of one statement, at most. */
const AT_ONCE = 500

/** A page of the log. */
export interface EventPage {
  events: StoredEvent[]
  /** The last entry that was looked at, or the end of the log: the next page is behind it. */
  last: bigint
}

/** A reader with their filters, and the time of the chain's head in Unix seconds. */
export interface EventReader {
  caller: Address | null
  filters: EventFilters
  now: bigint
}

/**
 * The entries behind a place that a caller may see now, at most so many. A page ends early after many that it may not see.
 * @param sql of the state of which `end` is the last entry
 */
export async function readEvents(
  sql: Queryable,
  reader: EventReader,
  { after, limit, end }: { after: bigint; limit: number; end: bigint },
): Promise<EventPage> {
  const shown: StoredEvent[] = []
  const { filters, caller } = reader
  let last = after
  // Usually the caller may see all of them.
  let count = Math.min(limit, AT_ONCE)
  for (let lookedAt = 0; lookedAt < LOOKED_AT; lookedAt += count) {
    if (lookedAt > 0) count = AT_ONCE
    const found = await listEvents(sql, { after: last, limit: count, filters, caller })
    const tasks = await listTaskAccess(sql, [...new Set(found.flatMap(({ taskId }) => taskId ?? []))])
    for (const event of found) {
      last = event.sequence
      if (
        event.isMatch !== false &&
        isShown(event, event.taskId === null ? undefined : tasks.get(event.taskId), reader)
      )
        shown.push(event)
      if (shown.length === limit) return { events: shown, last }
    }
    if (found.length < count) return { events: shown, last: end }
  }
  return { events: shown, last }
}

/** Says whether a caller is shown an entry: a GET of the same would show it now. @param task undefined: it is not there */
export function isShown(
  event: StoredEvent,
  task: TaskAccess | undefined,
  { caller, filters, now }: EventReader,
): boolean {
  const { kind, taskId, resource, worker, addresses } = event
  if (kind === 'revealed' && addresses.length > 0 && (caller === null || !addresses.includes(caller))) return false
  if (taskId === null || resource === null) return true
  // A reorg took the task away: only the news of that is left.
  if (task === undefined) return event.kind === 'reverted'
  const viewer = { address: caller, holdsGrant: false }
  const scope = scopeOf(resource as Resource, task, viewer)
  if (scope === null || (worker !== null && !isInScope(scope, worker))) return false
  if (resource === 'bids' && areBidsSealed(event, now) && worker !== caller) return false
  const isAskedFor = filters.taskId !== undefined || (caller !== null && filters.address === caller)
  return isAskedFor || (worker !== null && worker === caller) || isFound(task, viewer)
}
