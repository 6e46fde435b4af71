import type { EventFilters } from '../events/read-events.queries.ts'
import { conditionsOn, isOfEverything, type TaskFilter } from './task-filters.ts'

/** Makes a condition on tasks of the filters of a query; undefined: there is none. */
export function toTaskCondition(filter: TaskFilter): EventFilters['ofTask'] {
  if (isOfEverything(filter)) return undefined
  // No condition among them depends on the time.
  const reading = { now: 0n, plan: 'own' } as const
  return (sql) =>
    sql`${conditionsOn(sql, filter, { on: 'task', ...reading })} ${conditionsOn(sql, filter, { on: 'texts', ...reading })}`
}
