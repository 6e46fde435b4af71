import { Hono } from 'hono'

/**
 * An empty Hono application, which Ponder requires. It has no routes: the service offers SQL for analysts and a
 * separate process offers GraphQL, both with a read-only database login (docs/build/analytics.md). Do not use Ponder's
 * `client()` here. Version 0.17.7 caches a permitted query under only 40 bits of the query's hash. It then runs, with
 * the rights of the database owner, any other query whose hash has the same 40 bits.
 */
export default new Hono()
