import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type SQL, sql } from 'drizzle-orm'
import type { GraphQLSchema } from 'graphql/index.js'
import * as tables from '../../ponder.schema.ts'
import { describeTypes } from './describe-types.ts'
import { pageByCursor } from './page-by-cursor.ts'

/** What the resolvers of Ponder's schema use of a request. */
export interface ReadContext {
  qb: QueryBuilder
  /** Finds rows by their keys; the lookups of a request that come together are one statement. */
  getDataLoader: unknown
}

/** Ponder's own adds retries, which a request with a deadline has no time for. */
export interface QueryBuilder {
  raw: Database
  wrap<Result>(query: (database: Database) => Result): Result
}

/** The drizzle instance. Ponder's resolvers use more of it, without a type here. */
interface Database {
  execute(query: SQL): Promise<{ rows: Record<string, unknown>[] }>
}

/** The two steps of Ponder's GraphQL middleware that are used here. */
interface PonderGraphql {
  buildGraphQLSchema(options: { schema: Record<string, unknown> }): GraphQLSchema
  buildDataLoaderCache(qb: QueryBuilder): unknown
}

export interface MarketGraphql {
  schema: GraphQLSchema
  createContext(database: Database): ReadContext
}

/**
 * Builds the GraphQL schema of the read model, one type a table, by Ponder's own builder: names and filters stay those
 * that Ponder serves. Its middleware is not used: it needs Ponder's globals, writes a file and serves a page that loads
 * scripts from a foreign host.
 */
export async function buildMarketGraphql(): Promise<MarketGraphql> {
  const { buildGraphQLSchema, buildDataLoaderCache } = await loadPonderGraphql()
  const schema = buildGraphQLSchema({ schema: tables })
  serveIndexedHead(schema)
  pageByCursor(schema)
  describeTypes(schema, tables)
  return {
    schema,
    createContext: (database) => {
      const qb: QueryBuilder = { raw: database, wrap: (query) => query(database) }
      return { qb, getDataLoader: buildDataLoaderCache(qb) }
    },
  }
}

/**
 * The package does not export these, so they are reached by path. They import `graphql`, which Node resolves to
 * `graphql/index.js`. This folder imports that path, because a test runner resolves the bare name to a second copy of
 * the package, and graphql-js refuses types of another copy.
 */
async function loadPonderGraphql(): Promise<PonderGraphql> {
  const entry = fileURLToPath(import.meta.resolve('ponder'))
  return import(pathToFileURL(join(dirname(entry), 'graphql/index.js')).href)
}

/** The chain's name and id in ponder.config.ts. */
const CHAIN_NAME = 'base'
const CHAIN_ID = 8453

/**
 * Makes `_meta` read `indexed_head`: Ponder's resolver reads `_ponder_checkpoint`, which the reader may not read. The
 * answer has the same shape.
 */
function serveIndexedHead(schema: GraphQLSchema): void {
  const meta = schema.getQueryType()?.getFields()._meta
  if (meta === undefined) throw new Error('the GraphQL schema of Ponder has no field _meta')
  meta.resolve = async (_source, _arguments, { qb }: ReadContext) => {
    const { rows } = await qb.raw.execute(sql`select block_number, block_timestamp from indexed_head`)
    const [head] = rows
    if (head === undefined) return { status: {} }
    const block = { number: Number(head.block_number), timestamp: Number(head.block_timestamp) }
    return { status: { [CHAIN_NAME]: { id: CHAIN_ID, block } } }
  }
}
