import { find } from '../dom.ts'
import { loadIslands, readPage } from '../write/refresh-page.ts'
import { follow } from './follow.ts'
import { keepPlace } from './keep-place.ts'
import { patch } from './patch.ts'
import { servedMain } from './served.ts'

/** Milliseconds between two reads of the page, at least; and at most, while the page cannot be read or is older than what happened. */
const PAUSE_MS = 1_000
const MOST_PAUSE_MS = 60_000

/**
 * Keeps the page of a task up to date: what happens to the task has the page read again, and what is different is put in place. A
 * tab that is not visible follows nothing, and reads its page when it is visible again.
 */
export function startLive(): void {
  let end: AbortController | null = null
  const begin = async (isBack: boolean) => {
    if (document.hidden || end !== null) return
    end = new AbortController()
    const { signal } = end
    if (isBack) await update(0)
    const { live, unlisted, block } = find('main')?.dataset ?? {}
    if (live === undefined || signal.aborted) return
    // The stream of all tasks has public ones alone.
    const taskId = unlisted === undefined ? null : live
    await follow({ taskId, fromBlock: block === undefined ? null : Number(block) + 1, signal }, (change) => {
      if (change === null || change.taskId === live) void update(change?.block ?? 0)
    })
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      end?.abort()
      end = null
    } else void begin(true)
  })
  void begin(document.visibilityState === 'hidden')
}

let running: Promise<void> | null = null
let isAsked = false
/** The block that the page has to be of, or of a later one. */
let wanted = 0

/** Reads the page until it is of a block: an answer can come from a cache that is a second old. */
function update(block: number): Promise<void> {
  wanted = Math.max(wanted, block)
  isAsked = true
  running ??= (async () => {
    for (let pauseMs = PAUSE_MS; isAsked && !document.hidden; ) {
      isAsked = false
      const isDone = await updateOnce()
      pauseMs = isDone ? PAUSE_MS : Math.min(pauseMs * 2, MOST_PAUSE_MS)
      isAsked ||= !isDone
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    running = null
  })()
  return running
}

/** @returns whether the page is of the block that is wanted */
async function updateOnce(): Promise<boolean> {
  const page = await readPage()
  const [served, fresh] = [servedMain(), page?.querySelector('main')]
  if (!fresh || served === null) return served === null
  const { block } = fresh.dataset
  const main = find('main')
  if (main !== null) keepPlace(main, () => patch(served, fresh))
  document.title = page?.title ?? document.title
  document.dispatchEvent(new Event('page-refreshed'))
  await loadIslands(page)
  return block === undefined || Number(block) >= wanted
}
