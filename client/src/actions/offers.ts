import { pause } from '../reads/events.ts'
import type { Offer, Unfinished } from './action.ts'

/** Maximum of runs of an unchanged offer. After that, only a changed offer is taken again. */
const MOST_TRIES = 5

/** Offers of several sources: the action queue, and each open task by its id. */
export interface Offers {
  /** Replaces all offers of a source. `changed`: the new and the changed ones. */
  replace(source: string, offers: readonly Offer[], changed?: readonly Offer[]): void
  /**
   * Returns the first offer that was not taken since it appeared; null: none.
   * @throws the error passed to `fail`
   */
  take(): Offer | null
  /** Makes an offer available again, behind all others. */
  putBack(offer: Offer): void
  /**
   * Makes an offer available again when it changes, or after a pause that doubles each time. `outcome`: of its run; null: the
   * task did not offer it.
   */
  retry(offer: Offer, outcome: Unfinished | null): void
  /** Lists the outcomes of an offer's runs since it appeared. */
  listUnfinished(offer: Offer): readonly Unfinished[]
  /** Resolves with the next change, or when the signal aborts. */
  changed(): Promise<void>
  /** Ends with an error. */
  fail(error: unknown): void
}

/** Runs of an offer that did not complete. */
interface Tries {
  count: number
  isWaiting: boolean
  unfinished: Unfinished[]
}

/**
 * Creates an empty collection. An offer of two sources counts once.
 * @param pauseMs before the second run of an offer
 */
export function createOffers(signal: AbortSignal, pauseMs: number): Offers {
  const sources = new Map<string, ReadonlyMap<string, Offer>>()
  const taken = new Set<string>()
  const tries = new Map<string, Tries>()
  /** Positions of offers that were put back, behind the others. */
  const places = new Map<string, number>()
  let lastPlace = 0
  let failure: { error: unknown } | null = null
  let isChanged = false
  let wake = () => {}
  const note = () => {
    isChanged = true
    wake()
  }
  signal.addEventListener('abort', note, { once: true })
  const isOffered = (key: string) => [...sources.values()].some((offers) => offers.has(key))
  const takeAgain = (key: string) => {
    const state = tries.get(key)
    if (state?.isWaiting !== true) return
    state.isWaiting = false
    taken.delete(key)
    note()
  }
  return {
    replace: (source, offers, changed = offers) => {
      const before = sources.get(source)
      const next = new Map(offers.map((offer) => [keyOf(offer), offer]))
      if (next.size === 0) sources.delete(source)
      else sources.set(source, next)
      for (const key of before?.keys() ?? []) {
        if (isOffered(key)) continue
        taken.delete(key)
        tries.delete(key)
        places.delete(key)
      }
      for (const offer of changed) takeAgain(keyOf(offer))
      note()
    },
    take: () => {
      if (failure !== null) throw failure.error
      let first: { key: string; offer: Offer; place: number } | null = null
      for (const offers of sources.values()) {
        for (const [key, offer] of offers) {
          const place = places.get(key) ?? 0
          if (!taken.has(key) && (first === null || place < first.place)) first = { key, offer, place }
        }
      }
      if (first === null) return null
      taken.add(first.key)
      return first.offer
    },
    putBack: (offer) => {
      const key = keyOf(offer)
      places.set(key, ++lastPlace)
      taken.delete(key)
    },
    retry: (offer, outcome) => {
      const key = keyOf(offer)
      if (!isOffered(key)) return
      const state = tries.get(key) ?? { count: 0, isWaiting: false, unfinished: [] }
      tries.set(key, state)
      if (outcome !== null) state.unfinished = [...state.unfinished, outcome].slice(-MOST_TRIES)
      state.isWaiting = true
      const count = ++state.count
      if (count >= MOST_TRIES) return
      pause(pauseMs * 2 ** (count - 1), signal).then(() => {
        // The offer may have changed before the pause ended.
        if (tries.get(key) === state && state.count === count && !signal.aborted) takeAgain(key)
      })
    },
    listUnfinished: (offer) => tries.get(keyOf(offer))?.unfinished ?? [],
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
