import type { ClientContext } from '../context.ts'
import { messagesOf } from '../http/messages-of.ts'
import { type EventFilters, openStream, pause } from './events.ts'

export interface ChangesOptions extends EventFilters {
  /**
   * The address of a wallet whose action queue is also followed. If a deadline passes, the queue can change although
   * the log contains no new entry.
   */
  actions?: string
  /** The pause in milliseconds between two polls while no stream is available. The default is three seconds. */
  pauseMs?: number
  signal?: AbortSignal
}

const PAUSE_MS = 3_000
/**
 * The pause in milliseconds between two polls while a stream is open. The client also polls while a stream is open, for
 * two reasons: no log entry announces a deadline that passes, and the stream may be broken unnoticed.
 */
const LIVE_PAUSE_MS = 15_000

/**
 * Yields whenever a read may return something new: at the start, when a stream opens, at each log entry, and at
 * intervals. Several entries during one read cause only one yield.
 * @example for await (const _ of readChanges(context, { taskId })) console.log(await readTask(taskId))
 */
export async function* readChanges(
  context: ClientContext,
  { pauseMs = PAUSE_MS, signal: callerSignal, ...filters }: ChangesOptions = {},
): AsyncGenerator<void, void, undefined> {
  const end = new AbortController()
  const signal = callerSignal === undefined ? end.signal : AbortSignal.any([end.signal, callerSignal])
  const changes = createChanges(signal)
  let isFollowing = false
  try {
    while (!signal.aborted) {
      yield
      // A caller that stops after the first yield needs no stream.
      if (!isFollowing) void follow(context, filters, changes)
      isFollowing = true
      await changes.next(changes.isLive ? Math.max(pauseMs, LIVE_PAUSE_MS) : pauseMs)
    }
  } finally {
    end.abort()
  }
}

interface Changes {
  signal: AbortSignal
  /**
   * True while the client receives changes through an open stream of log entries; false while the client only polls.
   */
  isLive: boolean
  note(): void
  /**
   * Waits for the next `note` call, for at most the given number of milliseconds. Returns at once if `note` was called
   * since the last wait.
   */
  next(milliseconds: number): Promise<void>
}

function createChanges(signal: AbortSignal): Changes {
  let isNoted = false
  let wake = () => {}
  signal.addEventListener('abort', () => wake())
  return {
    signal,
    isLive: false,
    note: () => {
      isNoted = true
      wake()
    },
    next: async (milliseconds) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      if (!isNoted && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, milliseconds)
        })
      }
      clearTimeout(timer)
      isNoted = false
    },
  }
}

/**
 * Calls `note` for each entry of the log stream. Opens a new stream after a pause, which doubles while streams are
 * refused or end early. Never throws.
 */
async function follow(
  context: ClientContext,
  filters: EventFilters & { actions?: string },
  changes: Changes,
): Promise<void> {
  const { signal } = changes
  let pauseMs = context.timing.pauseMs
  while (!signal.aborted) {
    const body = await openStream(context, { ...filters, signal }, { after: null, finalizedUpTo: null }).catch(
      () => null,
    )
    const openedAt = performance.now()
    if (body !== null && body !== 'gone') {
      changes.isLive = true
      // The first message of an action queue's stream is the whole queue.
      if (filters.actions === undefined) changes.note()
      for await (const { event } of messagesOf(body, signal)) if (event !== 'position') changes.note()
      changes.isLive = false
      changes.note()
    }
    const hasLasted = performance.now() - openedAt > LIVE_PAUSE_MS
    pauseMs = hasLasted ? context.timing.pauseMs : Math.min(pauseMs * 2, LIVE_PAUSE_MS)
    await pause(pauseMs, signal)
  }
}
