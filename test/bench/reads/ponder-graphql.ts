/**
 * The yardstick: Ponder's own GraphQL, as its builder makes it from the tables, with nothing of ours around it.
 * A process of its own: `ponder-graphql.ts <databaseUrl> <port>`.
 */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { type GraphQLSchema, graphql } from 'graphql/index.js'
import pg from 'pg'
import { readerTables as tables } from '../../../src/views/reader-tables.ts'

interface PonderGraphql {
  buildGraphQLSchema(options: { schema: Record<string, unknown> }): GraphQLSchema
  buildDataLoaderCache(qb: unknown): unknown
}

const [connectionString = '', port = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 4, options: '-c search_path=market -c jit=off' })
const database = drizzle(pool, { schema: tables, casing: 'snake_case' })
// The package does not export it.
const folder = new URL('./graphql/index.js', pathToFileURL(fileURLToPath(import.meta.resolve('ponder'))))
const { buildGraphQLSchema, buildDataLoaderCache }: PonderGraphql = await import(folder.href)
const schema = buildGraphQLSchema({ schema: tables })
const qb = { raw: database, wrap: (query: (db: typeof database) => unknown) => query(database) }

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end('ready')
  const { query } = JSON.parse(await text(request))
  const contextValue = { qb, getDataLoader: buildDataLoaderCache(qb) }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(await graphql({ schema, source: query, contextValue })))
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
