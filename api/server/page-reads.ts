import type { Context } from 'hono'
import type { RateLimitName } from '../http/client-rate-limits.ts'

/** The reads that pages make inside the service. A page counts as one read of the page's visitor. */
export interface PageReads {
  /**
   * Returns the bindings for the reads of one page, with the visitor's socket. A null `visitor` means a read that is
   * cached for all visitors and not counted.
   */
  bindingsOf(visitor: Context | null): object
  /**
   * Returns true if the page for which this request reads was already counted. Otherwise marks such a page as counted
   * and returns false.
   */
  isCounted(c: Context, name: RateLimitName): boolean
}

/**
 * Creates the register of page reads. The bindings object of a request identifies reads of a page. Clients cannot send
 * it.
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
