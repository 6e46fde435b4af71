import { shareNext } from '../concurrency/share-next.ts'
import type { Database } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { findIndexedState, type IndexedState, toStateText } from '../read-model/indexed-head.queries.ts'
import type { Read } from '../read-model/replicas/public-reads.ts'
import { openRowCache } from '../read-model/row-cache.ts'

/** A JSON body as it goes out. */
export interface AnswerBody {
  text: string
  /** Its entity tag. */
  tag: string
  /** Of a route that `tellsState`: what it was made of; null: it is not to be kept. */
  state?: string | null
}

/** Memory of a route's answers, bytes: a page of 100 tasks takes some 500,000. */
const MAX_BYTES = 40_000_000

/** Answers a URL, with a kept answer or with one that `make` makes. */
export type ResponseCache = (url: string, make: () => Promise<AnswerBody>) => Promise<AnswerBody>

/**
 * Keeps answers that are the same for every caller while nothing they are made of changes: the indexer's rows and the
 * head's time. Both are looked at after a request that finds an answer has come, so an answer is never older than what would
 * be read then, and requests that come together share a look; texts behind hashes are stored before their hash is on chain
 * and never change. A key that a requester publishes, and the decision of a curator, show with the next block. Requests for an answer that is being made wait
 * for it, and take it when it was made of the state that they have read. Everything kept ends with a connection to the
 * database.
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
      ({ text }) => kept.resize(url, entry, text.length),
      () => {},
    )
    return body
  }

  return async (url, make) => {
    // Nothing to compare with, and the answer will tell of what state it is: a look at the state would be for nothing.
    if (tellsState && kept.find(url) === undefined) return await begin(url, make, null)
    const state = await readState()
    if (state === null) return await make()
    const found = kept.find(url)
    const foundState = await found?.state.catch(() => null)
    if (found !== undefined && foundState === state) return await found.body
    return await begin(url, make, state)
  }
}

async function readIndexedState(sql: Database): Promise<Read<IndexedState>> {
  const state = await findIndexedState(sql.byKey)
  return { value: state, position: state.position }
}

interface Kept {
  body: Promise<AnswerBody>
  /** What the answer is made of; null: of nothing that can be told. */
  state: Promise<string | null>
}
