import type { Context } from 'hono'
import type { RateLimitName } from '../http/client-rate-limits.ts'

/**
 * The register of the reads that pages make inside the service. The rate limit counts a whole page as one read of its
 * visitor, even if the page makes several reads.
 */
export interface PageReads {
  /**
   * Returns the Hono bindings (`c.env`) for the reads of one page. The bindings contain the visitor's socket. If
   * `visitor` is null, the answers are cached for all visitors, and no rate limit counts the reads.
   */
  bindingsOf(visitor: Context | null): object
  /**
   * Returns true if the request belongs to an already counted page. If the page of the request was not counted yet,
   * marks the page as counted and returns false, so that the caller counts this read. Returns false for every request
   * that is not a read of a page, and for every rate limit except `reads` and `sql`.
   */
  isCounted(c: Context, name: RateLimitName): boolean
}

/**
 * Creates the register of page reads. A request is a read of a page if its bindings object is in the register. Clients
 * cannot send a bindings object.
 */
export function createPageReads(): PageReads {
  const pages = new WeakMap<object, { isCounted: boolean }>()
  const bindings = new WeakMap<Context, object>()
  return {
    bindingsOf: (visitor) => {
      const existingBinding = visitor === null ? undefined : bindings.get(visitor)
      if (existingBinding !== undefined) return existingBinding
      const binding = { ...(visitor?.env as object | undefined) }
      pages.set(binding, { isCounted: visitor === null })
      if (visitor !== null) bindings.set(visitor, binding)
      return binding
    },
    isCounted: ({ env }, name) => {
      const page = typeof env === 'object' && env !== null ? pages.get(env) : undefined
      if (page === undefined || (name !== 'reads' && name !== 'sql')) return false
      const { isCounted } = page
      page.isCounted = true
      return isCounted
    },
  }
}
