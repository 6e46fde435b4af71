import type { Context } from 'hono'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { tagOf } from '../../http/entity-tags.ts'
import { listedNames } from '../../http/listed-names.ts'
import { invalidRequest } from '../../http/parse.ts'
import { queryInteger } from '../../http/query.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { callerOf } from '../../identity/caller.ts'
import { toJsonText } from '../../text/json-text.ts'
import { defineRoute } from '../define-route.ts'
import { findVisibleTask, shareTaskAccess } from '../visible-task.ts'
import { type ReadDetail, readTaskDetail } from './task-detail.ts'
import { findTaskIdOfCode } from './tasks.queries.ts'
import { type TaskDetail, taskDetailSchema } from './tasks.schemas.ts'
import { waitForTask } from './wait-for-task.ts'

/** The longest time in seconds that a request may wait for a change. Proxies end a request after a minute. */
const MAX_WAIT_SECONDS = 30

/**
 * The schema of a reference code: `TSK-` and characters of Crockford's base32, in upper or lower case. The parsed code
 * is in upper case.
 */
const referenceCode = z
  .string()
  .regex(/^TSK-[0-9A-HJKMNP-TV-Z]{8,52}$/i, { error: 'must be a task id or a reference code' })
  .transform((text) => text.toUpperCase())

/** The query parameters of long polling. The tools of the MCP server do not have these parameters. */
const longPollQuery = {
  wait: queryInteger(1, MAX_WAIT_SECONDS)
    .optional()
    .meta({
      description:
        'Waits so many seconds for an answer that differs from that of `after`, and answers 304 at their end. 20 such requests a ' +
        'client.',
      'x-transport': true,
    }),
  after: z
    .string()
    .regex(/^[\w-]{27}$/, { error: "must be an ETag of this task's answer, without its quotes" })
    .optional()
    .meta({
      description: 'With `wait`: the `ETag` of the answer that you have, without its quotes.',
      'x-transport': true,
    }),
}

/**
 * An optional part of a task's answer, such as the bids. The parameter `include` names the parts that the client
 * requests.
 */
export interface TaskPart {
  /** The schema of the part's answer, such as the rows of `GET /tasks/{taskId}/bids`. */
  schema: z.ZodType
  /**
   * The answer of the part for a task that has no rows of the part. If `isIn` returns false, the service answers this
   * value and does not call `read`.
   */
  none: object | null
  isIn(task: TaskDetail): boolean
  read(deps: Deps, task: TaskDetail, context: Context): Promise<object | null>
}

/**
 * Defines the route that returns a task, with optional parts in its answer. The answer is null if the task is unknown
 * or the caller may not see it. The whole request consumes one unit of the rate limit. See the specification, "Get
 * task". Example: with `{ bids }` the answer to `?include=bids` has `parts: { bids: [...] }`.
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
      'with more goes on. With `wait` and `after` the answer comes when it differs from the one that you have.',
    params: z.object({ taskId: z.union([bytes32, referenceCode], { error: 'must be a task id or a reference code' }) }),
    query: z.object({
      include: listedNames(names).default([]).meta({
        description: 'Parts to answer with the task, by their names; the whole counts as one read.',
      }),
      ...longPollQuery,
    }),
    audience: 'viewers',
    responses: {
      200: {
        description: 'The task, or null.',
        schema: taskDetailSchema.and(z.object({ parts: partsSchema })).nullable(),
        headers: { Link: 'With `include`, for each list that has more rows: `<url>; rel="next"; title="<part>"`.' },
      },
    },
    isMadeOfRows: ({ query: { include, wait } }) => include.length === 0 && wait === undefined,
    findTag: async (deps, { params, query: { include, wait } }, context) => {
      if (include.length > 0 || wait !== undefined) return null
      // An expired read identity is refused.
      await callerOf(context, deps)
      const taskId = await findTaskId(deps, params.taskId)
      const knownTag = taskId && (await deps.detailTags.find(taskId))
      if (!knownTag?.isForAll) return null
      context.set('sameWithin', knownTag.interval)
      return knownTag.tag
    },
    handler: async (deps, { params, query: { include, wait, after } }, context) => {
      if (wait !== undefined || after !== undefined) {
        const findId = () => findTaskId(deps, params.taskId)
        const make = () => answerTask(deps, params.taskId, context)
        return await waitForTask(deps, context, { ...toWait({ include, wait, after }), findId, make })
      }
      if (include.length === 0) return await answerTask(deps, params.taskId, context)
      shareTaskAccess(context)
      const shownTask = await findShownTask(deps, params.taskId, context)
      if (shownTask === null) return null
      const { detail: task } = shownTask
      const reading = Object.entries(parts)
        .filter(([name]) => include.includes(name))
        .map(async ([name, part]) => [name, part.isIn(task) ? await part.read(deps, task, context) : part.none])
      return { ...task, parts: Object.fromEntries(await Promise.all(reading)) }
    },
  })
}

/**
 * Returns the parameters of a long poll: `wait` and `after`. A long poll must not have `include`, because it waits only
 * for changes of the task itself, not for changes of the task's parts.
 * @throws ServiceError 400 if only one of `wait` and `after` is given, or if `include` is given
 */
function toWait({
  include,
  wait,
  after,
}: {
  include: readonly string[]
  wait: number | undefined
  after: string | undefined
}): { seconds: number; after: string } {
  if (wait === undefined) throw invalidRequest([{ path: 'wait', message: 'must be given where after is given' }])
  if (after === undefined) throw invalidRequest([{ path: 'after', message: 'must be given where wait is given' }])
  if (include.length > 0) throw invalidRequest([{ path: 'include', message: 'must be left out where wait is given' }])
  return { seconds: wait, after }
}

/** Returns the task as JSON, and stores the entity tag of the answer in the cache of tags. */
async function answerTask(deps: Deps, idOrCode: string, context: Context): Promise<ReadyJson | null> {
  const shownTask = await findShownTask(deps, idOrCode, context)
  if (shownTask === null) return null
  const { detail, version, interval } = shownTask
  context.set('sameWithin', interval)
  const bytes = Buffer.from(toJsonText(detail))
  const tag = tagOf(bytes)
  if (version !== null) deps.detailTags.keep(detail.id as Hex, { tag, version, interval })
  return new ReadyJson({ bytes, tag, state: null })
}

async function findTaskId({ sql }: Pick<Deps, 'sql'>, idOrCode: string): Promise<Hex | null> {
  return isTaskId(idOrCode) ? idOrCode : await findTaskIdOfCode(sql, idOrCode)
}

async function findShownTask(deps: Deps, idOrCode: string, context: Context): Promise<ReadDetail | null> {
  const taskId = await findTaskId(deps, idOrCode)
  if (taskId === null) return null
  // The primary alone decides about access.
  const [visibleTask, detail] = await Promise.all([
    findVisibleTask(deps, context, taskId),
    deps.publicReads.read((sql) => readTaskDetail(deps, sql, taskId)),
  ])
  return visibleTask && detail
}

function isTaskId(idOrCode: string): idOrCode is `0x${string}` {
  return idOrCode.startsWith('0x')
}
