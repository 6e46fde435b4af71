import type { Deps } from '../deps.ts'
import type { TimeWindow } from '../domain/actions/action-rule.ts'
import { isWithin } from '../domain/view-interval.ts'
import type { RateLimitName } from '../http/client-rate-limits.ts'
import { isKnownTag } from '../http/entity-tags.ts'
import type { IndexedHead } from '../read-model/indexed-head.queries.ts'
import { openRowCache } from '../read-model/row-cache.ts'
import type { RowMoment } from '../read-model/row-changes.ts'

/** The memory limit for the cached answers of all routes, in bytes. It suffices for about 10,000 URLs. */
const MAX_BYTES = 30_000_000

/** The state of the data that an answer is built from. */
export interface RowState {
  rows: RowMoment
  log: RowMoment
  /** The timestamp of the latest block that the service knows, in Unix seconds. */
  timestamp: bigint
  /** The newest indexed block, which the headers of every answer contain; null before the first block. */
  head: Pick<IndexedHead, 'blockNumber' | 'blockTimestamp'> | null
}

/** A 304 answer that was sent and may be sent again. */
export interface KnownAnswer {
  etag: string
  /**
   * Header names and values alternately. The list contains no header that differs from request to request, such as
   * `X-Request-Id`.
   */
  headers: readonly string[]
  /**
   * True if the answer also had headers that differ from request to request, such as `X-Request-Id`. The service
   * creates these headers anew for each answer.
   */
  namesRequest: boolean
  countedAs: RateLimitName
  /** The path template of the route. Example: `/api/tasks/{taskId}`. */
  route: string
  /**
   * The range of block timestamps for which the answer stays the same if the rows do not change. If absent, any change
   * of rows, event log or latest block ends the answer's validity.
   */
  sameWithin?: TimeWindow | undefined
}

interface KeptAnswer {
  /** The state of the data when the service began to build the answer. */
  state: RowState
  answer: KnownAnswer
}

/**
 * The cache of 304 answers that are valid in the present state of the data, for clients without credentials. The key is
 * the result of `answerNameOf`.
 */
export interface CurrentTags {
  /**
   * Returns the current state. Returns null if no latest block is known, or the indexer's rows are incomplete. Nothing
   * is cached or found then.
   */
  state(): RowState | null
  /**
   * Returns the cached 304 if it is valid in `state` and `sentTags` contains its `ETag`. Returns null if the answer
   * must be built.
   */
  findKnown(name: string, state: RowState, sentTags: string): KnownAnswer | null
  /** Stores an answer that was built from `state`. Does nothing if the state of the data has changed since then. */
  keep(name: string, state: RowState, answer: KnownAnswer): void
}

/**
 * Creates the cache of 304 answers that depend only on the URL, the rows and the time of the latest block. It stores no
 * answers with a body.
 */
export function openCurrentTags({
  publicReads,
  rowChanges,
  chain,
  indexedHead,
}: Pick<Deps, 'publicReads' | 'rowChanges' | 'chain' | 'indexedHead'>): CurrentTags {
  const answers = openRowCache<KeptAnswer>(publicReads, MAX_BYTES)
  // No node request is needed: the indexer notifies each block, and without notifications the period of the rows ends.
  const readState = () => {
    const head = chain.knownHead()
    const newestHead = indexedHead.current()
    if (head === null || newestHead?.ready === false) return null
    const [rows, log] = [rowChanges.moment('rows'), rowChanges.moment('rows and log')]
    return { rows, log, timestamp: head.timestamp, head: newestHead }
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
 * Returns true in two cases: the newest indexed block is still the block of `state`, or all blocks after the block of
 * `state` changed no row. The process knows from notifications which blocks changed no row.
 */
function isSameOrIdle(state: RowState, { head, rows }: RowState): boolean {
  if (head?.blockNumber === state.head?.blockNumber) return true
  if (head === null || state.head === null || rows.block === null) return false
  return head.blockNumber > state.head.blockNumber && head.blockNumber <= rows.block
}
