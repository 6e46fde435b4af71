import { shareNext } from '../concurrency/share-next.ts'
import type { Database } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { tagOf } from '../http/entity-tags.ts'
import { joinBytes } from '../http/join-bytes.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { findIndexedState, type IndexedState, toStateText } from '../read-model/indexed-head.queries.ts'
import type { Read } from '../read-model/replicas/public-reads.ts'
import { openRowCache } from '../read-model/row-cache.ts'
import { toJsonText } from '../text/json-text.ts'

/** A serialized JSON body. */
export interface AnswerBody {
  bytes: Buffer<ArrayBuffer>
  /** The entity tag of the body. */
  tag: string
  /**
   * The state of the rows that the answer was built from. Null if the answer must not be cached. Absent if the answers
   * of the route do not report this state (`tellsState` of `createResponseCache`).
   */
  state?: string | null
}

/** Serializes a route's answer as a body. */
export function toAnswerBody(answer: object | null): AnswerBody {
  if (answer instanceof ReadyJson) return answer
  const bytes = joinBytes([toJsonText(answer)])
  return { bytes, tag: tagOf(bytes) }
}

/** The memory limit for the cached answers of one route, in bytes. A page of 100 tasks takes about 500,000 bytes. */
const MAX_BYTES = 40_000_000

/** The cached answers of one route by URL. */
export interface ResponseCache {
  /** Returns the answer of a URL from the cache. If the cache lacks the answer, `make` builds it. */
  answer(url: string, make: () => Promise<AnswerBody>): Promise<AnswerBody>
}

/**
 * Creates a cache of answers that are the same for every caller. An answer is valid while the rows and the time of the
 * latest block do not change. The cache checks both at each request, so no answer is older than the request. Concurrent
 * requests for one URL share one build of the answer. The loss of a database connection clears the cache.
 * @param tellsState true if each answer reports the state of the rows it was built from (`AnswerBody.state`). If false,
 * the cache uses the state that it read before the answer was built
 */
export function createResponseCache(
  { publicReads, chain }: Pick<Deps, 'publicReads' | 'chain'>,
  { tellsState }: { tellsState: boolean },
): ResponseCache {
  const keptAnswers = openRowCache<Kept>(publicReads, MAX_BYTES)
  const readState = shareNext(async () => {
    const [state, { timestamp }] = await Promise.all([publicReads.read(readIndexedState), chain.head()])
    return toStateText(state, timestamp)
  })
  const begin = (url: string, make: () => Promise<AnswerBody>, before: string | null) => {
    const body = make()
    const entry = { body, state: body.then(({ state }) => (tellsState ? (state ?? null) : before)) }
    keptAnswers.put(url, entry, 0)
    entry.state.catch(() => keptAnswers.resize(url, entry, null))
    body.then(
      ({ bytes }) => keptAnswers.resize(url, entry, bytes.length),
      () => {},
    )
    return body
  }

  return {
    answer: async (url, make) => {
      // No answer is cached, and the new answer will report its state, so reading the state would be useless.
      if (tellsState && keptAnswers.find(url) === undefined) return await begin(url, make, null)
      const state = await readState()
      if (state === null) return await make()
      const foundEntry = keptAnswers.find(url)
      const foundState = await foundEntry?.state.catch(() => null)
      return foundEntry !== undefined && foundState === state ? await foundEntry.body : await begin(url, make, state)
    },
  }
}

async function readIndexedState(sql: Database): Promise<Read<IndexedState>> {
  const state = await findIndexedState(sql.byKey)
  return { value: state, position: state.position }
}

interface Kept {
  body: Promise<AnswerBody>
  /**
   * The state from which the answer is built: the state of the rows, and the time of the latest block. Null if the
   * state is unknown.
   */
  state: Promise<string | null>
}
