import { newTaskContent } from '../act/new-task.ts'
import type { Page } from '../html/layout.ts'
import { keep } from '../http/keep.ts'
import { openReads, orNull } from '../http/read.ts'
import type { WebOptions } from '../options.ts'

/** Time for which the platform fee is cached, in milliseconds. The owner of the market rarely changes the fee. */
const KEPT_MS = 60_000

/** Creates the page that posts a task. Without scripts the page describes other ways to post a task. */
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

/** Reads the platform fee of a new task, in basis points; null if the market is not indexed yet. */
async function readFee(options: WebOptions): Promise<number | null> {
  return (await openReads(options, null).get('/api/hooks/attachment-configuration')).platformFeeBps
}
