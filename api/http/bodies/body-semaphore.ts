import { ServiceError } from '../../errors/service-error.ts'
import { incomplete } from './arriving-body.ts'
import type { ThroughputMeter } from './throughput-meter.ts'

/** The limits on the number and duration of large bodies. */
export interface SlotLimits {
  /** The bodies received at once, and the bodies that may wait. */
  slots: number
  maxWaiting: number
  /** The waiting bodies of one client. */
  maxWaitingOfOne: number
  /** The time after which a holder yields its slot to a waiting client, milliseconds. */
  longestMs: number
  /** The rate below which a holder loses its slot to a waiting body, and the window that measures it. */
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

/** A body that requests a slot. */
export interface SlotHolder {
  /** The sender's address. */
  client: string
  meter: ThroughputMeter
  /** Aborts when the client disconnects. */
  gone: AbortSignal
  /** Ends the body with this reason. */
  cut: (reason: ServiceError) => void
}

/** A semaphore with few slots, in order of arrival, but first for clients without a slot. */
export interface BodySemaphore {
  /**
   * Waits for a slot and returns the function that releases it.
   * @throws ServiceError 503 when too many wait, 400 when the client has disconnected
   */
  enter: (holder: SlotHolder) => Promise<() => void>
}

/** A waiting request. */
interface Waiter {
  holder: SlotHolder
  admit: () => void
}

export function createBodySemaphore(limits: SlotLimits = defaultLimits): BodySemaphore {
  /** The start time of each holder. */
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
  /** A long holder yields to other clients, so one client alone cannot block the others. */
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

/** Returns the first waiter whose client holds no slot, else the first waiter. */
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
