import type { Context } from 'hono'
import type { RateLimitName } from '../http/client-rate-limits.ts'

/**
 * The reads that pages make inside the service. A page counts as one read of its visitor, however many reads it makes.
 */
export interface PageReads {
  /**
   * Returns the bindings for the reads of one page, with the socket of the page's visitor. Null as `visitor` means a
   * read whose result is cached for all visitors; this read is not counted.
   */
  bindingsOf(visitor: Context | null): object
  /**
   * Returns true if the page that makes this request was already counted. Otherwise marks the page as counted and
   * returns false.
   */
  isCounted(c: Context, name: RateLimitName): boolean
}

/**
 * Creates the register of page reads. The register recognizes a read of a page by the bindings object of the request,
 * which no client can send.
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
