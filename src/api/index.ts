import { Hono } from 'hono'

/**
 * Ponder asks for a Hono application. It has no routes: analysts' SQL is served by the service and GraphQL by a process
 * of its own, both on a login that only reads (docs/analytics.md). Ponder's `client()` must not come back here: in
 * 0.17.7 it remembers an admitted query under 40 bits of its hash, and runs another one with the same bits as the
 * owner.
 */
export default new Hono()
