import type { Hex } from 'viem'
import { z } from 'zod'
import type { Database } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { tagOf } from '../../../http/entity-tags.ts'
import { ReadyJson } from '../../../http/ready-json.ts'
import { toStateText } from '../../../read-model/indexed-head.queries.ts'
import { toJsonText } from '../../../text/json-text.ts'
import type { TaskFilter } from '../../task-filters.ts'
import { listTaskRows } from '../tasks.queries.ts'
import { taskSchema } from '../tasks.schemas.ts'
import { MAX_RANKED, type PageOptions } from './find-page.ts'
import { listPageHeads, type PageHeads } from './list-tasks.queries.ts'
import { toTaskCursor } from './task-cursor.ts'
import type { TaskFragment } from './task-fragments.ts'

/** One page of a list of tasks. */
export const taskPageSchema = z.object({
  tasks: z.array(taskSchema),
  nextCursor: z.iso.datetime().nullable(),
  hasMore: z.boolean(),
})

/** A page whose tasks are JSON already. */
export interface TaskPage {
  tasks: TaskFragment[]
  nextCursor: string | null
  hasMore: boolean
  /** On the last page of as many ranked tasks as there may be. */
  ranked?: typeof MAX_RANKED
  /** What it was made of, as `toStateText` has it. */
  state: string | null
}

type PageDeps = Pick<Deps, 'publicReads' | 'taskFragments' | 'config'>

/** Reads one page of public tasks. What was made of a task before is used again; the rows of the others are read. */
export async function readTaskPage(deps: PageDeps, filter: TaskFilter, options: PageOptions): Promise<TaskPage> {
  return await deps.publicReads.read(async (sql) => {
    const found = await listPageHeads(sql, filter, { ...options, limit: options.limit + 1 })
    return { value: await toPage({ ...deps, sql }, found, options), position: found.position }
  })
}

/** The answer of a page. Example: with `{ id: 'd1' }` ahead `{"id":"d1","tasks":[...],"nextCursor":null,"hasMore":false}`. */
export function toPageText({ tasks, state, ...end }: TaskPage, ahead: object = {}): ReadyJson {
  const start = toJsonText({ ...ahead, tasks: [] }).slice(0, -2)
  const rest = `],${toJsonText(end).slice(1)}`
  return new ReadyJson({
    text: start + tasks.map(({ text }) => text).join(',') + rest,
    tag: tagOf(start + tasks.map((fragment) => fragment.hash).join('') + rest),
    state,
  })
}

type RowDeps = Pick<Deps, 'taskFragments' | 'config'> & { sql: Database }

async function toPage(deps: RowDeps, found: PageHeads, { limit, now, order }: PageOptions): Promise<TaskPage> {
  const heads = found.heads.slice(0, limit)
  const last = heads.at(-1)
  const hasMore = found.heads.length > limit
  return {
    tasks: await readFragments(deps, { ...found, heads }, now),
    nextCursor: hasMore && last !== undefined ? toTaskCursor(order, last.position) : null,
    hasMore,
    ...(!hasMore && found.ranked === MAX_RANKED && { ranked: MAX_RANKED }),
    state: toStateText(found, now),
  }
}

/** The tasks of a page in order. One whose row is gone by the time it is read is left out. */
async function readFragments(
  { sql, taskFragments, config }: RowDeps,
  { heads, shared }: Pick<PageHeads, 'heads' | 'shared'>,
  now: bigint,
): Promise<TaskFragment[]> {
  const kept = heads.map(({ id, version }) => taskFragments.find(id, { version, shared }, now))
  const missing = heads.flatMap(({ id }, place) => (kept[place] === undefined ? [id] : []))
  if (missing.length === 0) return kept.filter((fragment) => fragment !== undefined)
  const view = { now, serviceName: config.SERVICE_NAME }
  const made = new Map<Hex, TaskFragment>()
  for (const row of await listTaskRows(sql.byKey, missing)) {
    made.set(row.id, taskFragments.make(row, row.shared, view))
  }
  return heads.flatMap(({ id }, place) => kept[place] ?? made.get(id) ?? [])
}
