import { pause } from '../reads/events.ts'
import type { Offer, Unfinished } from './action.ts'

/**
 * The maximum number of runs of an unchanged offer. After that, the offer is available again only when it has changed.
 */
const MOST_TRIES = 5

/**
 * The actions that tasks offer to the wallet, grouped by source. A source is either the wallet's action queue or one
 * open task, named by the task's id.
 */
export interface Offers {
  /** Replaces all offers of a source. `changedOffers`: the offers that are new or have changed since the last call. */
  replace(source: string, offers: readonly Offer[], changedOffers?: readonly Offer[]): void
  /**
   * Takes the first available offer and returns it; null if no offer is available.
   * @throws the error passed to `fail`
   */
  take(): Offer | null
  /** Makes a taken offer available again, after all other offers. */
  putBack(offer: Offer): void
  /**
   * Makes a taken offer available again after a pause, or earlier if the offer changes. The pause doubles with each
   * call for the offer.
   *
   * `outcome`: the outcome of the action's run. Null if the action was not run, because the task did not contain the
   * offer any more.
   */
  retry(offer: Offer, outcome: Unfinished | null): void
  /**
   * Lists the outcomes of the failed or unfinished runs of the offer, counted since the offer last appeared. At most
   * the last `MOST_TRIES` outcomes are listed.
   */
  listUnfinished(offer: Offer): readonly Unfinished[]
  /** Resolves when the offers change, or when the caller's abort signal fires. */
  changed(): Promise<void>
  /** Stores the error that `take` throws from now on. */
  fail(error: unknown): void
}

/** The failed or unfinished runs of one offer. */
interface Tries {
  count: number
  isWaiting: boolean
  unfinished: Unfinished[]
}

/**
 * Creates an empty collection of offers. An offer that two sources contain is taken only once.
 * @param pauseMs pause before the second run of an offer, in milliseconds
 */
export function createOffers(signal: AbortSignal, pauseMs: number): Offers {
  const sources = new Map<string, ReadonlyMap<string, Offer>>()
  const takenKeys = new Set<string>()
  const tries = new Map<string, Tries>()
  /**
   * The order numbers of offers that were put back, by offer key (task id, action name and worker). Any other offer has
   * the number zero. The offer with the lowest number is taken first.
   */
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
    takenKeys.delete(key)
    note()
  }
  return {
    replace: (source, offers, changedOffers = offers) => {
      const before = sources.get(source)
      const next = new Map(offers.map((offer) => [keyOf(offer), offer]))
      if (next.size === 0) sources.delete(source)
      else sources.set(source, next)
      for (const key of before?.keys() ?? []) {
        if (isOffered(key)) continue
        takenKeys.delete(key)
        tries.delete(key)
        places.delete(key)
      }
      for (const offer of changedOffers) takeAgain(keyOf(offer))
      note()
    },
    take: () => {
      if (failure !== null) throw failure.error
      let first: { key: string; offer: Offer; place: number } | null = null
      for (const offers of sources.values()) {
        for (const [key, offer] of offers) {
          const place = places.get(key) ?? 0
          if (!takenKeys.has(key) && (first === null || place < first.place)) first = { key, offer, place }
        }
      }
      if (first === null) return null
      takenKeys.add(first.key)
      return first.offer
    },
    putBack: (offer) => {
      const key = keyOf(offer)
      places.set(key, ++lastPlace)
      takenKeys.delete(key)
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
