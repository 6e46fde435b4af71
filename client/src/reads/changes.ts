import type { ClientContext } from '../context.ts'
import { messagesOf } from '../http/messages-of.ts'
import { type EventFilters, openStream, pause } from './events.ts'

export interface ChangesOptions extends EventFilters {
  /** A wallet whose action queue is followed too: it changes with time alone, without an entry. */
  actions?: string
  /** Between two looks while no stream can be had, milliseconds; three seconds unless given. */
  pauseMs?: number
  signal?: AbortSignal
}

const PAUSE_MS = 3_000
/** Between two looks beside a stream: a deadline can pass without an entry, and a stream can be cut without a sign. */
const LIVE_PAUSE_MS = 15_000

/**
 * Yields when a read can have another answer than the one before: at once, when the stream of the log of changes is open, with each entry
 * of it, and in pauses while none can be had. A read at each of these misses nothing that stays. Entries that come during a read are one.
 * @example for await (const _ of readChanges(context, { taskId })) console.log(await readTask(taskId))
 */
export async function* readChanges(
  context: ClientContext,
  { pauseMs = PAUSE_MS, signal: given, ...filters }: ChangesOptions = {},
): AsyncGenerator<void, void, undefined> {
  const end = new AbortController()
  const signal = given === undefined ? end.signal : AbortSignal.any([end.signal, given])
  const changes = createChanges(signal)
  let isFollowing = false
  try {
    while (!signal.aborted) {
      yield
      // A caller who is content with the first look needs no stream.
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
  /** A stream is open. */
  isLive: boolean
  note(): void
  /** Waits for what is noted, now or since the last call, at most so long. */
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

/** Notes what a stream brings, and opens another where it ends; one that is refused or ends at once, later. Never throws. */
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
      // With an action queue, the whole of it is the first message.
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
