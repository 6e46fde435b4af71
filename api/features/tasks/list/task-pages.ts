import { z } from 'zod'
import { toTimestampFromMs } from '../../../http/response-schemas.ts'
import type { TaskRow } from '../task-row.ts'
import { type TaskView, toTasks } from '../tasks.mapper.ts'
import { type Task, taskSchema } from '../tasks.schemas.ts'

/** The `nextCursor` of the page before: the creation time of its last task. Becomes a `createdAtMs`. */
export const taskCursor = z.iso
  .datetime({ offset: true, error: 'must be the nextCursor of the page before' })
  .transform((text) => BigInt(Date.parse(text)))

/** One page of a list of tasks. */
export const taskPageSchema = z.object({
  tasks: z.array(taskSchema),
  nextCursor: z.iso.datetime().nullable(),
  hasMore: z.boolean(),
})

/** A page of `limit` from rows of which one more was asked for. */
export function toTaskPage(
  rows: readonly TaskRow[],
  { limit, ...view }: TaskView & { limit: number },
): { tasks: Task[]; nextCursor: string | null; hasMore: boolean } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    tasks: toTasks(page, view),
    nextCursor: hasMore && last ? toTimestampFromMs(last.createdAtMs) : null,
    hasMore,
  }
}
