import type { Context } from 'hono'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { listedNames } from '../../http/listed-names.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { findVisibleTask, shareTaskAccess } from '../visible-task.ts'
import { readTaskDetail } from './task-detail.ts'
import { findTaskIdOfCode } from './tasks.queries.ts'
import { type TaskDetail, taskDetailSchema } from './tasks.schemas.ts'

/** `TSK-` and characters of Crockford's base32, in any case. Becomes upper case. */
const referenceCode = z
  .string()
  .regex(/^TSK-[0-9A-HJKMNP-TV-Z]{8,52}$/i, { error: 'must be a task id or a reference code' })
  .transform((text) => text.toUpperCase())

/** A part of a task that has rows of its own. */
export interface TaskPart {
  /** What it answers, such as the rows of `GET /tasks/{taskId}/bids`. */
  schema: z.ZodType
  /** The answer for a task that has none of it, without a read. */
  none: object | null
  isIn(task: TaskDetail): boolean
  read(deps: Deps, task: TaskDetail, context: Context): Promise<object | null>
}

/**
 * Makes the route of a task, in whose answer a caller may have parts of it: one request, one count of the quota and one look
 * at who may see the task in place of one for each part. Spec, "Get task". Unknown, and private without the right to see
 * it, answer alike: null.
 * Example: with `{ bids }` the answer to `?include=bids` has `parts: { bids: [...] }`.
 */
export function defineGetTask(parts: Readonly<Record<string, TaskPart>>) {
  const names = Object.keys(parts)
  const shape = Object.fromEntries(Object.entries(parts).map(([name, { schema }]) => [name, schema.optional()]))
  const partsSchema = z.object(shape).optional().meta({ description: 'Those that `include` names.' })
  return defineRoute({
    operationId: 'getTask',
    method: 'get',
    path: '/tasks/{taskId}',
    tag: 'tasks',
    summary: 'Get a task in full',
    description:
      'By task id or reference code. Null for an unknown task and for one the caller may not see. With `include` also parts ' +
      'of it, each as its own route answers this caller; a list begins with its first 100 rows, and `Link` says where one ' +
      'with more goes on.',
    params: z.object({ taskId: z.union([bytes32, referenceCode], { error: 'must be a task id or a reference code' }) }),
    query: z.object({
      include: listedNames(names).default([]).meta({
        description: 'Parts to answer with the task, by their names; the whole counts as one read.',
      }),
    }),
    audience: 'viewers',
    responses: {
      200: {
        description: 'The task, or null.',
        schema: taskDetailSchema.and(z.object({ parts: partsSchema })).nullable(),
        headers: { Link: 'With `include`, for each list that has more rows: `<url>; rel="next"; title="<part>"`.' },
      },
    },
    handler: async (deps, { params, query: { include } }, context) => {
      if (include.length === 0) return await findShownTask(deps, params.taskId, context)
      shareTaskAccess(context)
      const task = await findShownTask(deps, params.taskId, context)
      if (task === null) return null
      const reading = Object.entries(parts)
        .filter(([name]) => include.includes(name))
        .map(async ([name, part]) => [name, part.isIn(task) ? await part.read(deps, task, context) : part.none])
      return { ...task, parts: Object.fromEntries(await Promise.all(reading)) }
    },
  })
}

async function findShownTask(deps: Deps, idOrCode: string, context: Context): Promise<TaskDetail | null> {
  const taskId = isTaskId(idOrCode) ? idOrCode : await findTaskIdOfCode(deps.sql, idOrCode)
  if (taskId === null) return null
  // Who may see it is decided by the primary alone.
  const [visible, detail] = await Promise.all([
    findVisibleTask(deps, context, taskId),
    deps.publicReads.read((sql) => readTaskDetail(deps, sql, taskId)),
  ])
  return visible && detail
}

function isTaskId(idOrCode: string): idOrCode is `0x${string}` {
  return idOrCode.startsWith('0x')
}
