import type { ClientContext } from '../context.ts'
import { readActions } from '../reads/actions.ts'
import { findEndOfLog, pause, readEvents } from '../reads/events.ts'

/** The callbacks of a feed (a stream of changes), and the signal that ends the feed. The callbacks must not throw. */
export interface FeedPorts {
  signal: AbortSignal
  /** Called when a task changed, with the task's id. Null means that any task of the feed may have changed. */
  onChange(taskId: string | null): void
  onError(error: Error): void
}

/**
 * Follows the log of changes until the signal aborts, and reports each change through `onChange`. The promise resolves
 * when the client has read the position of the log's end. From then on, each new entry is reported.
 * @param taskId the task to follow; undefined for all tasks that the wallet may read
 * @throws Error when the end of the log cannot be read
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
 * Follows a wallet's action queue until the signal aborts, and reports each change through `onChange`. The promise
 * resolves after the first read of the queue.
 * @throws Error when the first read fails with a permanent error: a retry would fail with the same error
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

/** Calls `follow` again after each failure, until the signal aborts. */
async function keepFollowing(
  follow: () => Promise<void>,
  { signal, recover, onError }: Pick<FeedPorts, 'signal' | 'onError'> & { recover: (error: Error) => Promise<void> },
): Promise<void> {
  while (!signal.aborted) {
    await follow().catch(recover).catch(onError)
  }
}
