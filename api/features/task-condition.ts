import type { EventFilters } from '../events/read-events.queries.ts'
import { conditionsOn, isOfEverything, type TaskFilter } from './task-filters.ts'

/** Returns a condition on tasks for the filters of a query; undefined without a filter. */
export function toTaskCondition(filter: TaskFilter): EventFilters['ofTask'] {
  if (isOfEverything(filter)) return undefined
  // None of these conditions depends on the time.
  const reading = { now: 0n, plan: 'own' } as const
  return (sql) =>
    sql`${conditionsOn(sql, filter, { on: 'task', ...reading })} ${conditionsOn(sql, filter, { on: 'texts', ...reading })}`
}
