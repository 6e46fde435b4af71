import { db } from 'ponder:api'
import schema from 'ponder:schema'
import { Hono } from 'hono'
import { client, graphql } from 'ponder'

/** Ponder's own HTTP, for analysts: GraphQL and read-only SQL over the tables. The service does not use it. */
const app = new Hono()
app.use('/graphql', graphql({ db, schema }))
app.use('/sql/*', client({ db, schema }))

export default app
