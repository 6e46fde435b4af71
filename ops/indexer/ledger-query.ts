import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SQL of every movement of money, over the tables of the deployment; its names resolve by the search path when the view is
 * created. The views' switch creates it, not Ponder, so that a change requires no new indexing. It reads tables instead of views,
 * so that a later deployment can drop its views.
 */
export const ledgerQuery = readFileSync(join(import.meta.dirname, 'ledger.sql'), 'utf8')
