import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { acceptsGzip } from '../http/compression.ts'
import { isKnownTag } from '../http/entity-tags.ts'
import { openRowCache } from '../read-model/row-cache.ts'
import type { RowMoment } from '../read-model/row-changes.ts'

/** Memory of a route's tags, bytes: some 5,000 URLs. */
const MAX_BYTES = 8_000_000

/** What an answer is made of. */
interface RowState {
  moment: RowMoment
  /** Of the head, Unix seconds. */
  timestamp: bigint
}

/** The entity tags of what a route answers now to callers without credentials, by `answerNameOf`. */
export interface CurrentTags {
  /** The state of now. */
  state(): Promise<RowState>
  /** The `ETag` of the answer in this state, where the client has that answer; null: it is to be made. */
  findKnown(name: string, state: RowState, sentTags: string): string | null
  /** Keeps the `ETag` of an answer whose making began in `state`, unless that is over. */
  keep(name: string, state: RowState, etag: string): Promise<void>
}

/**
 * Opens the tags of a route whose answers are made of the URL, rows and the time of the head. All who poll a URL share one look at
 * the rows in a moment. An answer with a body is made of the rows as they are.
 */
export function openCurrentTags({
  publicReads,
  rowChanges,
  chain,
}: Pick<Deps, 'publicReads' | 'rowChanges' | 'chain'>): CurrentTags {
  const tags = openRowCache<RowState & { etag: string }>(publicReads, MAX_BYTES)
  const readState = async () => {
    const { timestamp } = await chain.head()
    return { moment: rowChanges.moment(), timestamp }
  }
  return {
    state: readState,
    findKnown: (name, state, sentTags) => {
      const kept = tags.find(name)
      if (kept === undefined || !isSame(kept, state)) return null
      return isKnownTag(sentTags, kept.etag.replace(/^W\//, '')) ? kept.etag : null
    },
    keep: async (name, state, etag) => {
      if (isSame(state, await readState())) tags.put(name, { ...state, etag }, etag.length)
    },
  }
}

function isSame(one: RowState, other: RowState): boolean {
  return one.moment === other.moment && one.timestamp === other.timestamp
}

/**
 * Names the answer of a request by its URL and what else it depends on; null: on a header that makes it the answer of one client.
 * Example: `GET plain application/json /api/tasks?limit=1`.
 * @param ownHeaders credentials, and what the route reads besides
 */
export function answerNameOf({ req }: Context, ownHeaders: readonly string[]): string | null {
  if (ownHeaders.some((name) => req.header(name) !== undefined) || req.header('prefer') !== undefined) return null
  const coding = acceptsGzip(req.header('accept-encoding')) ? 'gzip' : 'plain'
  return `${req.method} ${coding} ${req.header('accept') ?? '*/*'} ${pathAndQuery(req.url)}`
}

/** Example: `/api/tasks?limit=1` of `http://127.0.0.1/api/tasks?limit=1`. */
export function pathAndQuery(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
