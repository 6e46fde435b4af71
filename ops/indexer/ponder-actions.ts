import { getTableName, type Table } from 'drizzle-orm'
import { writtenTablesOf } from './written-tables.ts'

type Action = (...parameters: unknown[]) => Promise<void>
type Commit = (transaction: { $client: object }, block: { table: Table }, context: unknown) => Promise<void>
interface Actions {
  createIndexes: Action
  createTriggers: Action
  createViews: Action
  dropLiveQueryTriggers: Action
  dropTriggers: Action
  finalizeOmnichain: Action
  revertOmnichain: Action
  commitBlock: Commit
}

const actions: Actions = await import(new URL('database/actions.js', import.meta.resolve('ponder')).href)

/**
 * Functions that this module passes on unchanged from Ponder's module `database/actions.js`. Ponder's runtime imports
 * this module instead of `database/actions.js` (lighten-live-blocks.ts).
 */
export const {
  createIndexes,
  createTriggers,
  createViews,
  dropLiveQueryTriggers,
  dropTriggers,
  finalizeOmnichain,
  revertOmnichain,
} = actions

/**
 * Stores a block's checkpoint in the undo rows that the block added for one table. Skips a table that the block did not
 * write.
 */
export const commitBlock: Commit = async (transaction, block, context) => {
  if (!writtenTablesOf(transaction.$client).mayHave(getTableName(block.table))) return
  await actions.commitBlock(transaction, block, context)
}

/**
 * Does nothing. Ponder's function would create triggers for subscribers to SQL over HTTP; this service offers no such
 * subscriptions.
 */
export const createLiveQueryTriggers: Action = async () => {}
