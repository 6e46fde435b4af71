import type { Hex } from 'viem'
import { makeStored } from '../../../api/features/tasks/list/store-fragments.ts'
import { readTaskPage, toPageText } from '../../../api/features/tasks/list/task-page.ts'
import { toTasks } from '../../../api/features/tasks/tasks.mapper.ts'
import { listTaskRows } from '../../../api/features/tasks/tasks.queries.ts'
import { toJsonText } from '../../../api/text/json-text.ts'
import type { TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'

type PageDeps = Pick<TestApi['deps'], 'sql' | 'publicReads' | 'taskFragments' | 'config'>

/** The newest page at a time of the chain's head, by way of what is kept. */
export async function readPage(deps: PageDeps, now = START): Promise<string> {
  return toPageText(await readTaskPage(deps, {}, { order: 'newest', limit: 20, now })).bytes.toString()
}

/** The page of one task as it is made of the rows, without anything kept. */
export async function makePage({ sql, config }: PageDeps, taskId: Hex, now = START): Promise<string> {
  const rows = await listTaskRows(sql.byKey, [taskId])
  const tasks = toTasks(rows, { now, serviceName: config.SERVICE_NAME })
  return toJsonText({ tasks, nextCursor: null, hasMore: false })
}

/** Stores the fragment of a task as it is then. */
export async function storeTask(deps: PageDeps, taskId: Hex, now = START): Promise<void> {
  const chain = { head: async () => ({ number: 1n, timestamp: now }) }
  await makeStored({ ...deps, chain }, [taskId])
}
