import type { ClientContext } from '../context.ts'
import { readActions } from '../reads/actions.ts'
import { findEndOfLog, pause, readEvents } from '../reads/events.ts'

/** Callbacks of a feed. None of them throws. */
export interface FeedPorts {
  signal: AbortSignal
  /** Receives the id of the changed task; null: any task of the feed may have changed. */
  onChange(taskId: string | null): void
  onError(error: Error): void
}

/**
 * Follows the log of changes until the signal aborts. Resolves when it has a position in the log; after that it misses no entry.
 * @param taskId one task; undefined: all that the wallet may find
 * @throws Error when the position cannot be read
 */
export async function followTasks(
  context: ClientContext,
  { signal, onChange, onError }: FeedPorts,
  taskId?: string,
): Promise<void> {
  const filters = { signal, ...(taskId !== undefined && { taskId }) }
  let after = await findEndOfLog(context)
  const follow = async () => {
    for await (const event of readEvents(context, {
      ...filters,
      ...(after !== null && { after }),
      onRestart: () => onChange(null),
    })) {
      if (event.taskId !== null) onChange(event.taskId)
    }
  }
  const recover = async (error: Error) => {
    onError(error)
    await pause(context.timing.maxPauseMs, signal)
    after = await findEndOfLog(context)
    // Entries before this position are missed, so any task may have changed.
    onChange(null)
  }
  void keepFollowing(follow, { signal, recover, onError })
}

/**
 * Follows the action queue of a wallet until the signal aborts. Resolves after the first read; after that it misses no change.
 * @throws Error for an error that a retry does not change
 */
export async function followActions(
  context: ClientContext,
  { signal, onChange, onError }: FeedPorts,
  address: string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let isBegun = false
    const follow = async () => {
      for await (const _ of readActions(context, address, { signal })) {
        if (isBegun) onChange(null)
        isBegun = true
        resolve()
      }
    }
    const recover = async (error: Error) => {
      if (!isBegun) return reject(error)
      onError(error)
      await pause(context.timing.maxPauseMs, signal)
    }
    void keepFollowing(follow, { signal, recover, onError })
  })
}

/** Follows again after each failure. */
async function keepFollowing(
  follow: () => Promise<void>,
  { signal, recover, onError }: Pick<FeedPorts, 'signal' | 'onError'> & { recover: (error: Error) => Promise<void> },
): Promise<void> {
  while (!signal.aborted) {
    await follow().catch(recover).catch(onError)
  }
}
