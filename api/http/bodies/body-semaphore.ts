import { ServiceError } from '../../errors/service-error.ts'
import { incomplete } from './arriving-body.ts'
import type { ThroughputMeter } from './throughput-meter.ts'

/** The limits of the semaphore for large request bodies: on their number, duration and rate. */
export interface SlotLimits {
  /**
   * The limits on bodies. `slots`: the number of bodies that are received at the same time. `maxWaiting`: the number of
   * bodies that may wait.
   */
  slots: number
  maxWaiting: number
  /** The number of bodies of one client that may wait. */
  maxWaitingOfOne: number
  /** The time in milliseconds after which a body is aborted if another client's body waits for a slot. */
  longestMs: number
  /**
   * The rate below which a body is aborted if another body waits for a slot. The rate is measured over `windowMs`
   * milliseconds.
   */
  floorBytesPerSecond: number
  windowMs: number
  /**
   * The interval between two checks, in milliseconds. While a body waits for a slot, each check aborts bodies that are
   * too slow or take too long.
   */
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

/** A large request body that is being received in a slot, or waits for one of the few slots. */
export interface SlotHolder {
  /** The IP address of the client that sends the body. */
  client: string
  meter: ThroughputMeter
  /** A signal that aborts when the client disconnects. */
  gone: AbortSignal
  /** Aborts the reading of the body with this error. */
  cut: (reason: ServiceError) => void
}

/**
 * A semaphore with few slots for large bodies. A free slot goes first to clients that hold no slot, in order of
 * arrival.
 */
export interface BodySemaphore {
  /**
   * Waits for a slot and returns the function that releases the slot.
   * @throws ServiceError 503 if too many bodies wait, 400 if the client has disconnected
   */
  enter: (holder: SlotHolder) => Promise<() => void>
}

/** A large request body that waits for a slot in which it may be received. */
interface Waiter {
  holder: SlotHolder
  admit: () => void
}

export function createBodySemaphore(limits: SlotLimits = defaultLimits): BodySemaphore {
  /** The bodies that hold a slot, each with its start time in milliseconds of a monotonic clock. */
  const holders = new Map<SlotHolder, number>()
  const waiters = new Set<Waiter>()
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
  /** Aborts bodies older than `longestMs` milliseconds while a body of another client waits. */
  const cutLong = () => {
    for (const [{ client, cut }, since] of holders) {
      const isWaitedFor = [...waiters].some((waiter) => waiter.holder.client !== client)
      if (isWaitedFor && performance.now() - since >= limits.longestMs) cut(tooSlow())
    }
  }
  const leave = (waiter: Waiter) => {
    waiters.delete(waiter)
    if (waiters.size === 0) stopWatching()
  }
  const hold = (holder: SlotHolder) => {
    holders.set(holder, performance.now())
    holder.meter.startWindow()
    return () => {
      if (!holders.delete(holder)) return
      nextOf(waiters, holders)?.admit()
    }
  }

  return {
    enter: async (holder) => {
      if (holder.gone.aborted) throw brokenOff(holder)
      if (holders.size < limits.slots) return hold(holder)
      const ofClient = [...waiters].filter((waiter) => waiter.holder.client === holder.client).length
      if (waiters.size >= limits.maxWaiting || ofClient >= limits.maxWaitingOfOne) throw busy()
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
        waiters.add(waiter)
        startWatching()
      })
    },
  }
}

/** Returns the first waiting body whose client holds no slot, or else the first waiting body. */
function nextOf(waiters: ReadonlySet<Waiter>, holders: ReadonlyMap<SlotHolder, number>): Waiter | undefined {
  const holding = new Set([...holders.keys()].map(({ client }) => client))
  const inOrder = [...waiters]
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
