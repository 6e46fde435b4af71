import type { Context } from 'hono'
import type { RateLimitName } from '../http/client-rate-limits.ts'

/** The register of the reads that pages make inside the service. A page counts as one read of the page's visitor. */
export interface PageReads {
  /**
   * Returns the Hono bindings (`c.env`) for the reads of one page. They contain the visitor's socket. If `visitor` is
   * null, the reads are cached for all visitors and not counted.
   */
  bindingsOf(visitor: Context | null): object
  /**
   * Returns true if this request is a read of a page, and the page was already counted. If the page was not counted
   * yet, marks it as counted and returns false.
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
