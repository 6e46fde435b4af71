import { dropIdentity, identityMs } from '../write/identity-of-tab.ts'
import { follow, type Reader } from './follow.ts'

/** Milliseconds between two updates, at least; and at most, while the page cannot be read or is older than what happened. */
const PAUSE_MS = 1_000
const MOST_PAUSE_MS = 60_000

/** What a page follows now. */
export interface Target {
  /** The task that it shows. */
  task: string
  /** Whether it has a stream of this task alone. */
  isAlone: boolean
  /** The first block that it does not show yet; null: it is not known. */
  fromBlock: number | null
  /** The wallet that it shows the task to; null: it shows what everyone sees. */
  reader: Reader | null
}

export interface Live {
  /** Null: nothing is followed now. */
  target(): Target | null
  /** Brings the page up to date. @returns whether it is of a block, or of a later one */
  update(block: number): Promise<boolean>
}

/**
 * Keeps a page up to date: what happens to its task has it updated. A tab that is not visible follows nothing, and is updated when it is
 * visible again. A stream of a wallet ends before what the wallet signed does; then the target is asked for again.
 * @returns looks whether another target is to be followed
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

/** Updates one after the other, until the page is of the block that is asked for: an answer can come from a cache that is a second old. */
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
