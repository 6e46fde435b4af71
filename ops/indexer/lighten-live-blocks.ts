import { registerHooks } from 'node:module'
import pg from 'pg'
import { textOf } from './statement-text.ts'
import { writtenTablesOf } from './written-tables.ts'

/**
 * Reduces the statements that Ponder sends for each new block. This module is preloaded into Ponder. The module omits
 * statements without effect (ponder-actions.ts) and a temporary table for subscribers. All other statements are
 * prepared: the server parses each of them once.
 *
 * This module replaces the function `query` of `pg.Client`. The module announce-recovery.ts replaces the same function,
 * and later restores the function that it found. If announce-recovery.ts were loaded first, it would restore the
 * original function and remove this module's replacement. Load this module first.
 */
const actions = new URL('ponder-actions.ts', import.meta.url).href
const tableOfSubscribers = 'CREATE TEMP TABLE live_query_tables '
const nothing = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] }

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === '../database/actions.js' && context.parentURL?.endsWith('/runtime/omnichain.js')
      ? { url: actions, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context),
})

/**
 * Maximum number of prepared statements. Each prepared statement uses memory of the PostgreSQL server. The limit is
 * above the number of different statements that write a single row; statements that write several rows use the rest.
 */
const MOST_PREPARED = 400
const preparedNames = new Map<string, string>()
const isPrepared = /^(select|insert|update) /

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
  const [statement, ...others] = parameters
  const text = textOf(statement)
  if (text.startsWith(tableOfSubscribers)) return Promise.resolve(nothing)
  writtenTablesOf(this).read(text)
  return Reflect.apply(query, this, [withName(statement, text), ...others])
} as typeof query

/**
 * Adds a name to a statement of Ponder's query builder, so that the server keeps the statement prepared. Returns a
 * statement from any other source unchanged.
 */
function withName(statement: unknown, text: string): unknown {
  if (typeof statement !== 'object' || statement === null || !('types' in statement) || !isPrepared.test(text))
    return statement
  if (!preparedNames.has(text) && preparedNames.size < MOST_PREPARED)
    preparedNames.set(text, `live_${preparedNames.size}`)
  const name = preparedNames.get(text)
  return name === undefined ? statement : { ...statement, name }
}
