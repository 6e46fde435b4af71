import { dropIdentity, identityMs } from '../write/identity-of-tab.ts'
import { follow, type Reader } from './follow.ts'

/**
 * Minimum pause between two updates, and maximum pause while the page is unreadable or older than the last change, milliseconds.
 */
const PAUSE_MS = 1_000
const MOST_PAUSE_MS = 60_000

/** The subject that a page follows now. */
export interface Target {
  /** Task of the page. */
  task: string
  /** True if the page has a stream for this task alone. */
  isAlone: boolean
  /** First block that the page does not show yet; null: not known. */
  fromBlock: number | null
  /** Wallet that sees the task on this page; null: public content. */
  reader: Reader | null
}

export interface Live {
  /** Returns the current target; null: nothing to follow. */
  target(): Target | null
  /** Updates the page. @returns true if the page then shows the block or a later one */
  update(block: number): Promise<boolean>
}

/**
 * Keeps a page up to date: each event of its task updates it. A hidden tab follows nothing, and is updated when it becomes
 * visible. A wallet's stream ends before its signature expires; then the target is read again.
 * @returns a function that checks for another target
 */
export function keepLive({ target, update }: Live): () => void {
  const demand = createUpdates(update)
  let current: { name: string; end: AbortController } | null = null
  const look = async (isBack: boolean) => {
    const next = document.hidden ? null : target()
    const name = next === null ? null : `${next.task} ${next.isAlone} ${next.reader?.address}`
    if (name === (current?.name ?? null)) return
    current?.end.abort()
    current = null
    if (next === null || name === null) return
    const end = new AbortController()
    const { signal } = end
    current = { name, end }
    if (isBack) await demand(0)
    // The update may have brought another block.
    const { task, isAlone, fromBlock, reader } = target() ?? next
    if (signal.aborted) return
    const timer = reader === null ? undefined : setTimeout(() => end.abort(), identityMs(reader.address))
    await follow({ taskId: isAlone ? task : null, fromBlock, reader, signal }, (change) => {
      if (change === null || change.taskId === task) void demand(change?.block ?? 0)
    })
    clearTimeout(timer)
    if (reader !== null && !signal.aborted) dropIdentity(reader.address)
    end.abort()
    if (current?.end !== end) return
    current = null
    void look(false)
  }
  document.addEventListener('visibilitychange', () => void look(true))
  void look(false)
  return () => void look(false)
}

/**
 * Runs updates one after the other until the page shows the requested block: an answer may come from a cache that is a second
 * old.
 */
function createUpdates(update: Live['update']): (block: number) => Promise<void> {
  let running: Promise<void> | null = null
  let isAsked = false
  let wanted = 0
  return (block) => {
    wanted = Math.max(wanted, block)
    isAsked = true
    running ??= (async () => {
      for (let pauseMs = PAUSE_MS; isAsked && !document.hidden; ) {
        isAsked = false
        const isDone = await update(wanted)
        pauseMs = isDone ? PAUSE_MS : Math.min(pauseMs * 2, MOST_PAUSE_MS)
        isAsked ||= !isDone
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      running = null
    })()
    return running
  }
}
