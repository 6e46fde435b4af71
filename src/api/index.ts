import { Hono } from 'hono'

/**
 * An empty Hono application, which Ponder requires. The service serves the analysts' SQL and a separate process serves
 * GraphQL, both with a login that only reads (docs/build/analytics.md). Ponder's `client()` must not be used here:
 * version 0.17.7 stores an admitted query under 40 bits of its hash, and runs another query with the same bits as the
 * owner.
 */
export default new Hono()
