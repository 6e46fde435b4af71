import { dropIdentity, identityMs } from '../write/identity-of-tab.ts'
import { follow, type Reader } from './follow.ts'

/** Minimum pause in milliseconds between two updates. */
const PAUSE_MS = 1_000
/**
 * Maximum pause in milliseconds between two attempts to update the page. Attempts go on while the page cannot be read,
 * or while the page is older than the last event.
 */
const MOST_PAUSE_MS = 60_000

/** The task whose events a page follows, and the wallet that reads the events. */
export interface Target {
  /** Id of the task. */
  task: string
  /** True to use a stream for this task only; false to use the public stream of all tasks. */
  isAlone: boolean
  /** The number of the first block that the page does not show yet; null if the number is not known. */
  fromBlock: number | null
  /** The wallet whose read rights decide what the page shows; null if the page shows only public content. */
  reader: Reader | null
}

export interface Live {
  /** Returns the task whose events the page must follow now; null if there is no such task. */
  target(): Target | null
  /**
   * Updates the page.
   * @returns true if the page then shows the state of `block` or of a later block
   */
  update(block: number): Promise<boolean>
}

/**
 * Keeps a page up to date: each event of the page's task updates the page. A hidden tab is updated when it becomes
 * visible.
 *
 * The stream of a wallet ends shortly before the wallet's signature expires. After the end of a stream, `keepLive`
 * calls `target` again. If `target` returns null, no further stream is opened.
 * @returns a function that calls `target`. If the result differs from the target of the open stream, the function
 * replaces the stream.
 */
export function keepLive({ target, update }: Live): () => void {
  const demand = createUpdates(update)
  let currentStream: { name: string; end: AbortController } | null = null
  const look = async (isBack: boolean) => {
    const next = document.hidden ? null : target()
    const name = next === null ? null : `${next.task} ${next.isAlone} ${next.reader?.address}`
    if (name === (currentStream?.name ?? null)) return
    currentStream?.end.abort()
    currentStream = null
    if (next === null || name === null) return
    const end = new AbortController()
    const { signal } = end
    currentStream = { name, end }
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
    if (currentStream?.end !== end) return
    currentStream = null
    void look(false)
  }
  document.addEventListener('visibilitychange', () => void look(true))
  void look(false)
  return () => void look(false)
}

/**
 * Creates a function that updates the page until the page shows the requested block. Only one update runs at a time. A
 * cached answer may be a second old, so one update can be insufficient.
 */
function createUpdates(update: Live['update']): (block: number) => Promise<void> {
  let runningUpdate: Promise<void> | null = null
  let isAsked = false
  let wantedBlock = 0
  return (block) => {
    wantedBlock = Math.max(wantedBlock, block)
    isAsked = true
    runningUpdate ??= (async () => {
      for (let pauseMs = PAUSE_MS; isAsked && !document.hidden; ) {
        isAsked = false
        const isDone = await update(wantedBlock)
        pauseMs = isDone ? PAUSE_MS : Math.min(pauseMs * 2, MOST_PAUSE_MS)
        isAsked ||= !isDone
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      runningUpdate = null
    })()
    return runningUpdate
  }
}
