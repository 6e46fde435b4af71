import { hash } from 'node:crypto'
import type { Hex } from 'viem'
import type { Database } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { ReadyJson } from '../../../http/ready-json.ts'
import { toStateText } from '../../../read-model/indexed-head.queries.ts'
import { listVersionedRows } from '../tasks.queries.ts'
import { MAX_RANKED, type PageOptions } from './find-page.ts'
import { listPageHeads, type PageHeads } from './list-tasks.queries.ts'
import { toTaskCursor } from './task-cursor.ts'
import type { TaskFilter } from './task-filter.ts'
import type { TaskFragment } from './task-fragments.ts'

type PageDeps = Pick<Deps, 'publicReads' | 'taskFragments' | 'config'>

/**
 * One page of public tasks as JSON text, the same as `toTaskPage` would make. What was made of a task before is used
 * again; the rows of the others are read.
 */
export async function readTaskPage(deps: PageDeps, filter: TaskFilter, options: PageOptions): Promise<ReadyJson> {
  return await deps.publicReads.read(async (sql) => {
    const found = await listPageHeads(sql, filter, { ...options, limit: options.limit + 1 })
    return { value: await toPageText({ ...deps, sql }, found, options), position: found.position }
  })
}

type RowDeps = Pick<Deps, 'taskFragments' | 'config'> & { sql: Database }

async function toPageText(deps: RowDeps, found: PageHeads, { limit, now, order }: PageOptions): Promise<ReadyJson> {
  const heads = found.heads.slice(0, limit)
  const page = await readFragments(deps, { ...found, heads }, now)
  const last = heads.at(-1)
  const hasMore = found.heads.length > limit
  const nextCursor = hasMore && last !== undefined ? toTaskCursor(order, last.position) : null
  const ranked = !hasMore && found.ranked === MAX_RANKED ? `,"ranked":${MAX_RANKED}` : ''
  const end = `],"nextCursor":${JSON.stringify(nextCursor)},"hasMore":${hasMore}${ranked}}`
  return new ReadyJson({
    text: `{"tasks":[${page.map(({ text }) => text).join(',')}${end}`,
    tag: `"${hash('sha1', page.map((fragment) => fragment.hash).join('') + end, 'base64url')}"`,
    state: toStateText(found, now),
  })
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
  for (const row of await listVersionedRows(sql.byKey, missing)) {
    made.set(row.id, taskFragments.make(row, row.shared, view))
  }
  return heads.flatMap(({ id }, place) => kept[place] ?? made.get(id) ?? [])
}
