import type { Context } from 'hono'
import type { ScriptSettings } from './act/scripts.ts'

/** The settings of the pages. */
export interface WebOptions {
  /**
   * Answers a request to the API. `visitor`: the request of the page that needs the answer, whose client is charged for
   * it; null for a read that is kept for all visitors.
   * Example: `fetch(new Request('http://market/api/tasks'), c)`.
   */
  fetch(request: Request, visitor: Context | null): Response | Promise<Response>
  /** The URL under which visitors reach the pages, without a slash at its end: for links in feeds and previews. */
  publicUrl: string
  /** The service's name in `X-<Service>-` headers. */
  serviceName: string
  /** Begin of the explorer's URLs, such as https://basescan.org; without it hashes have no links. */
  explorerUrl?: string | undefined
  /** Origins that the pages' scripts may read from, besides that of the pages: the API's and the storage's. */
  connectOrigins?: readonly string[]
  /** What the scripts of the pages are told: what they pay to, and how wallets reach the chain. Absent: no scripts are served. */
  scripts?: ScriptSettings
  /** Takes note of a failure of a page, for the log of who serves it. */
  noteFailure?(error: Error, c: Context): void
  /** The market stands on a chain of this machine. */
  isLocal?: boolean
}
