import type { Context } from 'hono'
import type { ScriptSettings } from './act/scripts.ts'

/** The options of `createWeb`, which creates the web pages. */
export interface WebOptions {
  /**
   * Sends a request to the API. Example: `fetch(new Request('http://market/api/tasks'), c)`.
   * @param visitor the visitor's request for the page: the API counts the read against the rate limits of the visitor's
   * client. Null for a read whose answer is cached for all visitors
   */
  fetch(request: Request, visitor: Context | null): Response | Promise<Response>
  /** Public URL of the pages, without a slash at its end, for links in feeds and previews. */
  publicUrl: string
  /** The service's name, which is part of the names of its `X-<Service>-` headers. */
  serviceName: string
  /**
   * Start of the block explorer's URLs. Example: https://basescan.org. If it is absent, hashes are shown without links.
   */
  explorerUrl?: string | undefined
  /** Other origins that the pages' scripts may send requests to: those of the API and the storage. */
  connectOrigins?: readonly string[]
  /** Settings for the scripts of the pages. If they are absent, no scripts are served. */
  scripts?: ScriptSettings
  /** Logs an error in the code that creates a page. */
  noteFailure?(error: Error, c: Context): void
  /** True if the market runs on a chain on this machine. */
  isLocal?: boolean
}
