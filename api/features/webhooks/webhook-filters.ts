import { z } from 'zod'
import type { EventFilters } from '../../events/read-events.queries.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { toTaskCondition } from '../task-condition.ts'
import { filterSchemas, isOfEverything } from '../task-filters.ts'

const { mode, tags, minReward, q } = filterSchemas

/** The schema of the filters that both webhooks and `GET /api/events` accept. */
const conditions = z.object({ mode, tag: tags, minReward, q })

/**
 * The schema of a webhook's filters. With filters, a webhook gets the log entries of the matching tasks. A webhook
 * without filters gets the log entries that concern the webhook's wallet.
 */
export const webhookFilters = z
  .object({
    taskId: bytes32.optional().meta({ description: 'Entries of this task.' }),
    mode: mode.meta({ description: 'Entries of tasks of this mode.' }),
    tag: tags.meta({ description: 'Entries of tasks with all of these tags.' }),
    minReward: minReward.meta({ description: 'Entries of tasks that pay at least so much, USDC base units.' }),
    q: q.meta({ description: 'Entries of tasks that these words, or this reference code, find.' }),
  })
  .refine(
    ({ taskId, mode, tag, q }) => taskId !== undefined || !isOfEverything({ mode, tags: tag, q }),
    'must have at least one of taskId, mode, tag and q',
  )

/**
 * Returns the SQL condition on tasks for stored filters.
 * @throws Error if the stored filters are no longer valid in this release
 */
export function toStoredCondition(storedFilters: Record<string, unknown>): EventFilters['ofTask'] {
  const { tag, ...filter } = conditions.parse(storedFilters)
  return toTaskCondition({ ...filter, tags: tag })
}
