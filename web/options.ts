import type { Context } from 'hono'
import type { ScriptSettings } from './act/scripts.ts'

/** The settings of the pages. */
export interface WebOptions {
  /**
   * Answers a request to the API. `visitor`: the page's request, whose client the API charges; null: a cached read for all
   * visitors.
   * Example: `fetch(new Request('http://market/api/tasks'), c)`.
   */
  fetch(request: Request, visitor: Context | null): Response | Promise<Response>
  /** URL of the pages for visitors, without a slash at its end, for links in feeds and previews. */
  publicUrl: string
  /** The service's name in `X-<Service>-` headers. */
  serviceName: string
  /** Start of the explorer's URLs, such as https://basescan.org; absent: hashes have no links. */
  explorerUrl?: string | undefined
  /** Further origins that the pages' scripts may read from: those of the API and the storage. */
  connectOrigins?: readonly string[]
  /** Settings for the scripts of the pages. Absent: no scripts are served. */
  scripts?: ScriptSettings
  /** Logs a failure of a page. */
  noteFailure?(error: Error, c: Context): void
  /** True if the market runs on a chain of this machine. */
  isLocal?: boolean
}
