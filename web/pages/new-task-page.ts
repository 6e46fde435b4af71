import { newTaskContent } from '../act/new-task.ts'
import type { Page } from '../html/layout.ts'
import { keep } from '../http/keep.ts'
import { openReads, orNull } from '../http/read.ts'
import type { WebOptions } from '../options.ts'

/** The fee of new tasks may be so old, milliseconds: the owner of the market changes it, if ever, by a transaction. */
const KEPT_MS = 60_000

/** Makes the page that posts a task. Without scripts it says how else a task is posted. */
export function createNewTaskPage(options: WebOptions): () => Promise<Page> {
  const readKept = keep(() => orNull(readFee(options)), KEPT_MS)
  return async () => ({
    title: 'Post a task',
    description: 'Put a reward into escrow, say what you need, and pay the one who delivers.',
    path: '/tasks/new',
    section: 'tasks',
    layout: 'split',
    islands: ['create'],
    body: newTaskContent(await readKept()),
  })
}

/** The platform fee of a task that is created now, basis points; null: the market is not indexed yet. */
async function readFee(options: WebOptions): Promise<number | null> {
  return (await openReads(options, null).get('/api/hooks/attachment-configuration')).platformFeeBps
}
