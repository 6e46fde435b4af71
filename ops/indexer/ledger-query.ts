import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SQL query that returns every movement of money from the tables of a deployment. The table names are resolved by the
 * search path when the view `ledger` is created. This view is created when the views are switched to a deployment, not
 * by Ponder, so that a change of the query requires no new indexing. The query reads tables instead of views, because
 * PostgreSQL could not drop a view that the view `ledger` reads.
 */
export const ledgerQuery = readFileSync(join(import.meta.dirname, 'ledger.sql'), 'utf8')
