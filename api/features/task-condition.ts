import type { EventFilters } from '../events/read-events.queries.ts'
import { conditionsOn, isOfEverything, type TaskFilter } from './task-filters.ts'

/** Returns an SQL condition on tasks for the filters of a query. Returns undefined if the query has no filter. */
export function toTaskCondition(filter: TaskFilter): EventFilters['ofTask'] {
  if (isOfEverything(filter)) return undefined
  // None of these conditions depends on the time.
  const reading = { now: 0n, plan: 'own' } as const
  return (sql) =>
    sql`${conditionsOn(sql, filter, { on: 'task', ...reading })} ${conditionsOn(sql, filter, { on: 'texts', ...reading })}`
}
