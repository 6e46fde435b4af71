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
  /** The entity tag. */
  tag: string
  /** The state that the answer of a `tellsState` route was built from; null: it must not be cached. */
  state?: string | null
}

/** Returns the body of a route's answer. */
export function toAnswerBody(made: object | null): AnswerBody {
  if (made instanceof ReadyJson) return made
  const bytes = joinBytes([toJsonText(made)])
  return { bytes, tag: tagOf(bytes) }
}

/** The memory for a route's answers, bytes: a page of 100 tasks takes some 500,000. */
const MAX_BYTES = 40_000_000

/** The answers of one route by URL. */
export interface ResponseCache {
  /** Returns the answer of a URL, cached or built by `make`. */
  answer(url: string, make: () => Promise<AnswerBody>): Promise<AnswerBody>
}

/**
 * Creates a cache of answers that are equal for every caller while the indexer's rows and the head's time stay. Both
 * are checked after a request arrives, so an answer is never older than a read at that moment; concurrent requests
 * share a check. Texts behind hashes are stored before their hash is on chain and never change. A published key and a
 * curator's decision appear with the next block. Requests for an answer in creation wait for it and take it if it was
 * built from the state that they read. The loss of a database connection clears the cache.
 */
export function createResponseCache(
  { publicReads, chain }: Pick<Deps, 'publicReads' | 'chain'>,
  { tellsState }: { tellsState: boolean },
): ResponseCache {
  const kept = openRowCache<Kept>(publicReads, MAX_BYTES)
  const readState = shareNext(async () => {
    const [state, { timestamp }] = await Promise.all([publicReads.read(readIndexedState), chain.head()])
    return toStateText(state, timestamp)
  })
  const begin = (url: string, make: () => Promise<AnswerBody>, before: string | null) => {
    const body = make()
    const entry = { body, state: body.then(({ state }) => (tellsState ? (state ?? null) : before)) }
    kept.put(url, entry, 0)
    entry.state.catch(() => kept.resize(url, entry, null))
    body.then(
      ({ bytes }) => kept.resize(url, entry, bytes.length),
      () => {},
    )
    return body
  }

  return {
    answer: async (url, make) => {
      // Nothing to compare with, and the answer will report its state, so a check of the state is useless.
      if (tellsState && kept.find(url) === undefined) return await begin(url, make, null)
      const state = await readState()
      if (state === null) return await make()
      const found = kept.find(url)
      const foundState = await found?.state.catch(() => null)
      return found !== undefined && foundState === state ? await found.body : await begin(url, make, state)
    },
  }
}

async function readIndexedState(sql: Database): Promise<Read<IndexedState>> {
  const state = await findIndexedState(sql.byKey)
  return { value: state, position: state.position }
}

interface Kept {
  body: Promise<AnswerBody>
  /** The state that the answer is built from; null: unknown. */
  state: Promise<string | null>
}
