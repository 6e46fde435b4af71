import type { Deps } from '../deps.ts'
import type { TimeWindow } from '../domain/actions/action-rule.ts'
import { isWithin } from '../domain/view-interval.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'
import { isKnownTag } from '../http/entity-tags.ts'
import type { IndexedHead } from '../read-model/indexed-head.queries.ts'
import { openRowCache } from '../read-model/row-cache.ts'
import type { RowMoment } from '../read-model/row-changes.ts'

/** The memory for the answers of all routes, bytes: some 10,000 URLs. */
const MAX_BYTES = 30_000_000

/** The state that an answer is built from. */
export interface RowState {
  rows: RowMoment
  log: RowMoment
  /** The time of the newest known head, Unix seconds. */
  timestamp: bigint
  /** The newest indexed block, which every answer names. */
  head: Pick<IndexedHead, 'blockNumber' | 'blockTimestamp'> | null
}

/** A 304 as it was sent. */
export interface KnownAnswer {
  etag: string
  /** Alternating names and values, without the headers of one request. */
  headers: readonly string[]
  /** True if it had headers of one request, which each client receives anew. */
  namesRequest: boolean
  countedAs: RateLimitName
  /** The route's path. Example: `/api/tasks/{taskId}`. */
  route: string
  /**
   * The head times at which the answer stays equal while the rows do; absent: only its own state, while the log stays
   * too.
   */
  sameWithin?: TimeWindow | undefined
}

interface KeptAnswer {
  /** The state at the beginning of its creation. */
  state: RowState
  answer: KnownAnswer
}

/** The 304 answers of the present state to clients without credentials, by `answerNameOf`. */
export interface CurrentTags {
  /** Returns the present state; null without rows or a head, and then nothing is cached or found. */
  state(): RowState | null
  /** Returns the 304 in this state when the client has the current `ETag`; null: the answer must be built. */
  findKnown(name: string, state: RowState, sentTags: string): KnownAnswer | null
  /** Stores an answer whose creation began in `state`, unless the state has changed. */
  keep(name: string, state: RowState, answer: KnownAnswer): void
}

/**
 * Opens the cache of answers that depend on the URL, rows and the head's time. All polls of a URL share one check of
 * the rows at a time. An answer with a body is always built of the present rows.
 */
export function openCurrentTags({
  publicReads,
  rowChanges,
  chain,
  indexedHead,
}: Pick<Deps, 'publicReads' | 'rowChanges' | 'chain' | 'indexedHead'>): CurrentTags {
  const answers = openRowCache<KeptAnswer>(publicReads, MAX_BYTES)
  // No node request is needed: the indexer notifies of each block, and without it the row state ends.
  const readState = () => {
    const head = chain.knownHead()
    const indexed = indexedHead.current()
    if (head === null || indexed?.ready === false) return null
    const [rows, log] = [rowChanges.moment('rows'), rowChanges.moment('rows and log')]
    return { rows, log, timestamp: head.timestamp, head: indexed }
  }
  return {
    state: readState,
    findKnown: (name, state, sentTags) => {
      const cachedAnswer = answers.find(name)
      if (cachedAnswer === undefined || !isStillSame(cachedAnswer, state)) return null
      const { etag } = cachedAnswer.answer
      return sentTags === etag || isKnownTag(sentTags, etag.replace(/^W\//, '')) ? cachedAnswer.answer : null
    },
    keep: (name, state, answer) => {
      const now = readState()
      if (now === null || !isStillSame({ state, answer }, now)) return
      answers.put(name, { state, answer }, 2 * answer.headers.join().length)
    },
  }
}

function isStillSame({ state, answer: { sameWithin } }: KeptAnswer, now: RowState): boolean {
  if (state.rows !== now.rows || !isSameOrIdle(state, now)) return false
  if (sameWithin !== undefined) return isWithin(sameWithin, now.timestamp)
  return state.log === now.log && state.timestamp === now.timestamp
}

/**
 * Returns true when the head is a later block and no block between them changed a row, as far as this process has been
 * notified.
 */
function isSameOrIdle(state: RowState, { head, rows }: RowState): boolean {
  if (head?.blockNumber === state.head?.blockNumber) return true
  if (head === null || state.head === null || rows.block === null) return false
  return head.blockNumber > state.head.blockNumber && head.blockNumber <= rows.block
}
