import { ServiceError } from '../service-error.ts'
import { malformed } from './arriving-body.ts'
import type { Pace } from './pace.ts'

/** What keeps large bodies few, and their senders quick. */
export interface SlotLimits {
  /** Bodies that come at once, and how many more may wait. */
  slots: number
  maxWaiting: number
  /** Slower than this for so long, and whoever holds a slot that others wait for loses it. */
  floorBytesPerSecond: number
  windowMs: number
  /** How often it is looked at while somebody waits, milliseconds. */
  checkMs: number
}

const defaultLimits: SlotLimits = {
  slots: 2,
  maxWaiting: 64,
  floorBytesPerSecond: 400_000,
  windowMs: 5_000,
  checkMs: 1_000,
}

/** A body that is to hold a slot. */
export interface SlotHolder {
  pace: Pace
  /** Comes when the client has gone. */
  gone: AbortSignal
  /** Ends the body, for this reason. */
  cut: (reason: ServiceError) => void
}

/** Few slots, given in the order they were asked for. */
export interface BodySlots {
  /**
   * Waits for a slot; whoever has it calls what is returned when he is done.
   * @throws ServiceError 503 when too many wait, 400 when the client has gone
   */
  take: (holder: SlotHolder) => Promise<() => void>
}

/** Somebody who waits. */
interface Waiter {
  holder: SlotHolder
  admit: () => void
}

export function createBodySlots(limits: SlotLimits = defaultLimits): BodySlots {
  const holders = new Set<SlotHolder>()
  const waiting = new Set<Waiter>()
  let watch: NodeJS.Timeout | null = null

  const stopWatching = () => {
    if (watch !== null) clearInterval(watch)
    watch = null
  }
  const startWatching = () => {
    if (watch !== null) return
    for (const { pace } of holders) pace.startWindow()
    watch = setInterval(() => cutSlow(holders, limits), limits.checkMs)
    watch.unref()
  }
  const leave = (waiter: Waiter) => {
    waiting.delete(waiter)
    if (waiting.size === 0) stopWatching()
  }
  const hold = (holder: SlotHolder) => {
    holders.add(holder)
    holder.pace.startWindow()
    return () => {
      if (!holders.delete(holder)) return
      const [next] = waiting
      next?.admit()
    }
  }

  return {
    take: async (holder) => {
      if (holder.gone.aborted) throw brokenOff(holder)
      if (holders.size < limits.slots) return hold(holder)
      if (waiting.size >= limits.maxWaiting) throw busy()
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

function cutSlow(holders: ReadonlySet<SlotHolder>, { floorBytesPerSecond, windowMs }: SlotLimits): void {
  for (const { pace, cut } of holders) {
    const isSlow = pace.isBelow(floorBytesPerSecond, windowMs)
    if (isSlow === true) cut(tooSlow())
    else if (isSlow === false) pace.startWindow()
  }
}

function brokenOff({ gone }: SlotHolder): ServiceError {
  return malformed('The body broke off before its end.', gone.reason)
}

function busy(): ServiceError {
  return new ServiceError(503, 'unclassified', 'Too many large uploads at once; try again shortly.', {
    headers: { 'Retry-After': '10' },
  })
}

function tooSlow(): ServiceError {
  return new ServiceError(
    408,
    'unclassified',
    'The body came too slowly while others waited; nothing was done. Send large files through request-upload-url.',
    { headers: { Connection: 'close' } },
  )
}
