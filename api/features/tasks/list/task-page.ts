import postgres from 'postgres'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { Database } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { tagOf } from '../../../http/entity-tags.ts'
import { joinBytes } from '../../../http/join-bytes.ts'
import { ReadyJson } from '../../../http/ready-json.ts'
import { toStateText } from '../../../read-model/indexed-head.queries.ts'
import { toJsonText } from '../../../text/json-text.ts'
import type { TaskFilter } from '../../task-filters.ts'
import { listTaskRows } from '../tasks.queries.ts'
import { taskSchema } from '../tasks.schemas.ts'
import { MAX_RANKED, type PageOptions } from './find-page.ts'
import { listPageHeads, type PageHead, type PageHeads } from './list-tasks.queries.ts'
import { findStoredFragments, type StoredFragment } from './stored-fragments.queries.ts'
import { toTaskCursor } from './task-cursor.ts'
import type { TaskFragment } from './task-fragments.ts'

/** The schema of one page of a list of tasks. */
export const taskPageSchema = z.object({
  tasks: z.array(taskSchema),
  nextCursor: z.iso.datetime().nullable(),
  hasMore: z.boolean(),
})

/** A page of a list of tasks. The tasks are already JSON. */
export interface TaskPage {
  tasks: TaskFragment[]
  nextCursor: string | null
  hasMore: boolean
  /**
   * The number of ranked tasks. Present only if the list is by relevance, the limit of ranked tasks was reached, and
   * the page is the last.
   */
  ranked?: typeof MAX_RANKED
  /** The state of the read model from which the page was made, in the form of `toStateText`. */
  state: string | null
}

type PageDeps = Pick<Deps, 'publicReads' | 'taskFragments' | 'config'>

/** Reads one page of public tasks. A task is built from its row only if its JSON is neither cached nor stored. */
export async function readTaskPage(deps: PageDeps, filter: TaskFilter, options: PageOptions): Promise<TaskPage> {
  return await deps.publicReads.read(async (sql) => {
    const pageHeads = await listPageHeads(sql, filter, { ...options, limit: options.limit + 1 })
    return { value: await toPage({ ...deps, sql }, pageHeads, options), position: pageHeads.position }
  })
}

/**
 * Returns the JSON answer of a page. The fields of `leadingFields` come first. Example: with `{ id: 'd1' }` the answer
 * is `{"id":"d1","tasks":[...],"nextCursor":null,"hasMore":false}`.
 */
export function toPageText({ tasks, state, ...end }: TaskPage, leadingFields: object = {}): ReadyJson {
  const start = toJsonText({ ...leadingFields, tasks: [] }).slice(0, -2)
  const rest = `],${toJsonText(end).slice(1)}`
  const parts = tasks.flatMap(({ bytes }, place) => (place === 0 ? [bytes] : [',', bytes]))
  return new ReadyJson({
    bytes: joinBytes([start, ...parts, rest]),
    tag: tagOf(start + tasks.map((fragment) => fragment.hash).join('') + rest),
    state,
  })
}

type RowDeps = Pick<Deps, 'taskFragments' | 'config'> & { sql: Database }

async function toPage(deps: RowDeps, pageHeads: PageHeads, { limit, now, order }: PageOptions): Promise<TaskPage> {
  const heads = pageHeads.heads.slice(0, limit)
  const last = heads.at(-1)
  const hasMore = pageHeads.heads.length > limit
  return {
    tasks: await readFragments(deps, { ...pageHeads, heads }, now),
    nextCursor: hasMore && last !== undefined ? toTaskCursor(order, last.position) : null,
    hasMore,
    ...(!hasMore && pageHeads.ranked === MAX_RANKED && { ranked: MAX_RANKED }),
    state: toStateText(pageHeads, now),
  }
}

/** Returns the tasks of a page in order. A task whose row was deleted before it could be read is left out. */
async function readFragments(
  { sql, taskFragments, config }: RowDeps,
  { heads, shared }: Pick<PageHeads, 'heads' | 'shared'>,
  now: bigint,
): Promise<TaskFragment[]> {
  const fragments = new Map<Hex, TaskFragment>()
  const withoutFragment = () => heads.filter(({ id }) => !fragments.has(id))
  for (const { id, version } of heads) {
    const cachedFragment = taskFragments.find(id, { version, shared }, now)
    if (cachedFragment !== undefined) fragments.set(id, cachedFragment)
  }
  const uncachedHeads = withoutFragment()
  if (uncachedHeads.length > 0) {
    for (const storedFragment of await findStored({ sql, taskFragments }, uncachedHeads, { shared, now })) {
      fragments.set(storedFragment.id, taskFragments.keepStored(storedFragment, shared))
    }
  }
  const ids = withoutFragment().map(({ id }) => id)
  if (ids.length > 0) {
    const view = { now, serviceName: config.SERVICE_NAME }
    for (const row of await listTaskRows(sql.byKey, ids))
      fragments.set(row.id, taskFragments.make(row, row.shared, view))
  }
  return heads.flatMap(({ id }) => fragments.get(id) ?? [])
}

/**
 * Returns the stored fragments of tasks. If the query fails, returns none, and the tasks are built from their rows.
 */
async function findStored(
  { sql, taskFragments: { digest } }: Pick<RowDeps, 'sql' | 'taskFragments'>,
  heads: readonly PageHead[],
  options: { shared: string; now: bigint },
): Promise<StoredFragment[]> {
  try {
    return await findStoredFragments(sql.byKey, heads, { ...options, digest })
  } catch (error) {
    if (error instanceof postgres.PostgresError) return []
    throw error
  }
}
