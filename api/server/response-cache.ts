import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps.ts'
import { findIndexedVersion } from '../read-model/indexed-head.queries.ts'

/** A JSON body as it goes out. */
export interface AnswerBody {
  text: string
  /** Its entity tag. */
  tag: string
}

/** How many answers a route keeps: a page of 100 tasks has some 250 kB. */
const MAX_KEPT = 200

/**
 * Keeps answers that are the same for every caller while nothing they are made of changes: the indexer's rows and the
 * head's time. Both are looked at for every request, so an answer is never older than what would be read now; texts
 * behind hashes are stored before their hash is on chain and never change. A key that a requester publishes, and
 * the decision of a curator, show with the next block. Requests for an answer that is being made wait for it.
 */
export function createResponseCache(): (
  deps: Deps,
  url: string,
  make: () => Promise<AnswerBody>,
) => Promise<AnswerBody> {
  const kept = new LRUCache<string, { state: string; body: Promise<AnswerBody> }>({ max: MAX_KEPT })
  return async (deps, url, make) => {
    const [version, head] = await Promise.all([findIndexedVersion(deps.sql.byKey), deps.chain.head()])
    if (version === null) return await make()
    const state = `${version} ${head.timestamp}`
    const found = kept.get(url)
    if (found?.state === state) return await found.body
    const body = make()
    kept.set(url, { state, body })
    body.catch(() => {
      if (kept.get(url)?.body === body) kept.delete(url)
    })
    return await body
  }
}
