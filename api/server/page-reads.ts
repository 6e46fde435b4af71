import type { Context } from 'hono'
import type { RateLimitName } from '../http/client-rate-limits.ts'

/** The reads that pages make within the service: a page counts as one read of its visitor, however many it makes. */
export interface PageReads {
  /**
   * Returns the bindings for the reads of one page, with its visitor's socket; null: a read that is cached for all
   * visitors.
   */
  bindingsOf(visitor: Context | null): object
  /** Returns true if the page of a request was counted before, and counts it otherwise. */
  isCounted(c: Context, name: RateLimitName): boolean
}

/**
 * Creates the register of page reads by their bindings, which no client can send. Example: the second read of a page is
 * already counted.
 */
export function createPageReads(): PageReads {
  const pages = new WeakMap<object, { isCounted: boolean }>()
  const bindings = new WeakMap<Context, object>()
  return {
    bindingsOf: (visitor) => {
      const existing = visitor === null ? undefined : bindings.get(visitor)
      if (existing !== undefined) return existing
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
