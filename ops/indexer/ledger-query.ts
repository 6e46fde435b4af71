import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SQL query of the view `ledger`: every movement of money in the tables of a deployment.
 *
 * The view is created when the views are switched to a deployment. A change of the query therefore requires no new
 * indexing. The query reads the deployment's tables and no other view, because PostgreSQL cannot drop a view that
 * another view reads.
 */
export const ledgerQuery = readFileSync(join(import.meta.dirname, 'ledger.sql'), 'utf8')
