import { ServiceError } from '../../errors/service-error.ts'
import { incomplete } from './arriving-body.ts'
import type { ThroughputMeter } from './throughput-meter.ts'

/** What keeps large bodies few, and their senders quick. */
export interface SlotLimits {
  /** Bodies that come at once, and how many more may wait. */
  slots: number
  maxWaiting: number
  /** How many of one client may wait. */
  maxWaitingOfOne: number
  /** How long a slot may be held that another client waits for, milliseconds. */
  longestMs: number
  /** A holder slower than this for so long loses its place when others wait. */
  floorBytesPerSecond: number
  windowMs: number
  /** Poll interval while a request waits, milliseconds. */
  checkMs: number
}

const defaultLimits: SlotLimits = {
  slots: 2,
  maxWaiting: 64,
  maxWaitingOfOne: 8,
  longestMs: 30_000,
  floorBytesPerSecond: 400_000,
  windowMs: 5_000,
  checkMs: 1_000,
}

/** A body that is to hold a slot. */
export interface SlotHolder {
  /** Who sends it: an address. */
  client: string
  meter: ThroughputMeter
  /** Comes when the client has gone. */
  gone: AbortSignal
  /** Ends the body, for this reason. */
  cut: (reason: ServiceError) => void
}

/** Few slots, given in the order they were asked for, but first to clients that hold none. */
export interface BodySemaphore {
  /**
   * Waits for a slot; its holder calls the returned function when it is done.
   * @throws ServiceError 503 when too many wait, 400 when the client has gone
   */
  enter: (holder: SlotHolder) => Promise<() => void>
}

/** A request that waits. */
interface Waiter {
  holder: SlotHolder
  admit: () => void
}

export function createBodySemaphore(limits: SlotLimits = defaultLimits): BodySemaphore {
  /** Since when each holds its slot. */
  const holders = new Map<SlotHolder, number>()
  const waiting = new Set<Waiter>()
  let watch: NodeJS.Timeout | null = null

  const stopWatching = () => {
    if (watch !== null) clearInterval(watch)
    watch = null
  }
  const startWatching = () => {
    if (watch !== null) return
    for (const { meter } of holders.keys()) meter.startWindow()
    watch = setInterval(() => {
      cutSlow(holders.keys(), limits)
      cutLong()
    }, limits.checkMs)
    watch.unref()
  }
  /** A long holder yields to other clients: one client alone cannot keep the others out. */
  const cutLong = () => {
    for (const [{ client, cut }, since] of holders) {
      const isWaitedFor = [...waiting].some((waiter) => waiter.holder.client !== client)
      if (isWaitedFor && performance.now() - since >= limits.longestMs) cut(tooSlow())
    }
  }
  const leave = (waiter: Waiter) => {
    waiting.delete(waiter)
    if (waiting.size === 0) stopWatching()
  }
  const hold = (holder: SlotHolder) => {
    holders.set(holder, performance.now())
    holder.meter.startWindow()
    return () => {
      if (!holders.delete(holder)) return
      nextOf(waiting, holders)?.admit()
    }
  }

  return {
    enter: async (holder) => {
      if (holder.gone.aborted) throw brokenOff(holder)
      if (holders.size < limits.slots) return hold(holder)
      const ofClient = [...waiting].filter((waiter) => waiter.holder.client === holder.client).length
      if (waiting.size >= limits.maxWaiting || ofClient >= limits.maxWaitingOfOne) throw busy()
      return await new Promise((resolve, reject) => {
        const giveUp = () => {
          leave(waiter)
          reject(brokenOff(holder))
        }
        const waiter: Waiter = {
          holder,
          admit: () => {
            leave(waiter)
            holder.gone.removeEventListener('abort', giveUp)
            resolve(hold(holder))
          },
        }
        holder.gone.addEventListener('abort', giveUp, { once: true })
        waiting.add(waiter)
        startWatching()
      })
    },
  }
}

/** The first of a client that holds no slot; when there is none, the first. */
function nextOf(waiting: ReadonlySet<Waiter>, holders: ReadonlyMap<SlotHolder, number>): Waiter | undefined {
  const holding = new Set([...holders.keys()].map(({ client }) => client))
  const inOrder = [...waiting]
  return inOrder.find(({ holder }) => !holding.has(holder.client)) ?? inOrder[0]
}

function cutSlow(holders: Iterable<SlotHolder>, { floorBytesPerSecond, windowMs }: SlotLimits): void {
  for (const { meter, cut } of holders) {
    const isSlow = meter.isBelow(floorBytesPerSecond, windowMs)
    if (isSlow === true) cut(tooSlow())
    else if (isSlow === false) meter.startWindow()
  }
}

function brokenOff({ gone }: SlotHolder): ServiceError {
  return incomplete(gone.reason)
}

function busy(): ServiceError {
  return new ServiceError(
    503,
    'unclassified',
    'Too many large bodies at once; try again shortly, or send the files through request-upload-url.',
    { detail: 'overloaded', headers: { 'Retry-After': '10' } },
  )
}

function tooSlow(): ServiceError {
  return new ServiceError(
    408,
    'unclassified',
    'The body came too slowly while others waited; nothing was done. Send large files through request-upload-url.',
    { detail: 'body_too_slow', headers: { Connection: 'close' } },
  )
}
