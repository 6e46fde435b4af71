import type { Deps } from '../deps.ts'
import type { RouteContract } from '../features/define-route.ts'
import { ignoredNamesOf } from '../http/handling.ts'
import { parseWith } from '../http/parse.ts'
import { readQuery } from '../http/query.ts'
import { type AnswerBody, createResponseCache, type ResponseCache, toAnswerBody } from './response-cache.ts'

/** A route whose answers are cached and whose path has no parameters. */
export interface KeptRoute {
  answers: ResponseCache
  /**
   * Returns the names of the query parameters that the URL contains and the route ignores. A header of the answer lists
   * these names.
   */
  ignoredNames(url: string): readonly string[]
  /**
   * Builds the answer of a URL.
   * @throws ServiceError 400 for an invalid query
   */
  make(url: string): Promise<AnswerBody>
}

/** Creates the answer cache of a route, or returns null if the route's answers are not cached. */
export function openKeptRoute(deps: Deps, route: RouteContract): KeptRoute | null {
  if (route.caching !== 'head' && route.caching !== 'stated') return null
  return {
    answers: createResponseCache(deps, { tellsState: route.caching === 'stated' }),
    ignoredNames: (url) => ignoredNamesOf({ input: readQuery(url), schema: route.query }),
    make: async (url) => {
      const query = route.query && parseWith(route.query, readQuery(url), route.inputReason)
      return toAnswerBody(await route.handler(deps, { params: undefined, query, body: undefined }))
    },
  }
}
