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

/** Members of Ponder's own module that its runtime uses (lighten-live-blocks.ts). */
export const {
  createIndexes,
  createTriggers,
  createViews,
  dropLiveQueryTriggers,
  dropTriggers,
  finalizeOmnichain,
  revertOmnichain,
} = actions

/** Moves the undone rows of a table to the checkpoint of the block. A table that the block did not write has none. */
export const commitBlock: Commit = async (transaction, block, context) => {
  if (!writtenTablesOf(transaction.$client).mayHave(getTableName(block.table))) return
  await actions.commitBlock(transaction, block, context)
}

/** Creates no triggers for subscribers of SQL over HTTP, which is not served. */
export const createLiveQueryTriggers: Action = async () => {}
