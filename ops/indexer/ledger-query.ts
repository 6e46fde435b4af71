import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every movement of money, over the tables of the deployment: its names are those of the search path when the view is
 * created. It is made with the views of the tables, not by Ponder and not over them: a change of it needs no index of
 * the chain, and no view of a table that a later deployment drops has it as a dependent.
 */
export const ledgerQuery = readFileSync(join(import.meta.dirname, 'ledger.sql'), 'utf8')
