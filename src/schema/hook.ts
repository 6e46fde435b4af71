import { onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per distinct list of hooks (`HooksAttached`). Tasks with equal lists share the row. Key: the hash of the
 * list, which the market logs as hookSet.
 */
export const hookSet = onchainTable('hook_set', (t) => ({
  /** Key of the row: keccak256(abi.encode(defaultCount, hooks)). */
  id: t.hex().primaryKey(),
  /** Addresses of the hooks, in the order in which the market calls them. */
  hooks: t.hex().array().notNull(),
  /** Number of hooks at the start of the list that are the market's default hooks. The requester chose the others. */
  defaultCount: t.integer().notNull(),
  ...position(t),
}))
