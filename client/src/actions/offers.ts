import type { Offer } from './action.ts'

/** Offers of several sources: the action queue, and each open task by its id. */
export interface Offers {
  /** Replaces all offers of a source. */
  replace(source: string, offers: readonly Offer[]): void
  /** The first offer that was not taken since it is there; null: there is none now. @throws the reason of `fail` */
  take(): Offer | null
  /** Has an offer taken again. */
  putBack(offer: Offer): void
  /** Resolves with the next change, or when the signal aborts. */
  changed(): Promise<void>
  /** Ends with an error. */
  fail(error: unknown): void
}

/** Makes an empty collection. An offer of two sources is one. */
export function createOffers(signal: AbortSignal): Offers {
  const sources = new Map<string, ReadonlyMap<string, Offer>>()
  const taken = new Set<string>()
  let failure: { error: unknown } | null = null
  let isChanged = false
  let wake = () => {}
  const note = () => {
    isChanged = true
    wake()
  }
  signal.addEventListener('abort', note, { once: true })
  const isOffered = (key: string) => [...sources.values()].some((offers) => offers.has(key))
  return {
    replace: (source, offers) => {
      const before = sources.get(source)
      const next = new Map(offers.map((offer) => [keyOf(offer), offer]))
      if (next.size === 0) sources.delete(source)
      else sources.set(source, next)
      for (const key of before?.keys() ?? []) if (!isOffered(key)) taken.delete(key)
      note()
    },
    take: () => {
      if (failure !== null) throw failure.error
      for (const offers of sources.values()) {
        for (const [key, offer] of offers) {
          if (taken.has(key)) continue
          taken.add(key)
          return offer
        }
      }
      return null
    },
    putBack: (offer) => taken.delete(keyOf(offer)),
    changed: async () => {
      if (!isChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      isChanged = false
    },
    fail: (error) => {
      failure = { error }
      note()
    },
  }
}

function keyOf({ taskId, name, worker }: Offer): string {
  return [taskId, name, worker].join(':').toLowerCase()
}
