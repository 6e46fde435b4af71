import { Hono } from 'hono'

/**
 * The HTTP application (Hono) that Ponder requires. It has no routes. Analysts query the database itself, by SQL or
 * GraphQL (docs/build/analytics.md).
 */
// Never add Ponder's `client()` here. In version 0.17.7 it recognises a permitted query by only 40 bits of the query's
// hash. A different query with the same 40 bits would run with the rights of the database owner.
export default new Hono()
