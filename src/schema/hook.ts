import { onchainTable } from 'ponder'
import { position } from './position.ts'

/** One row a list of hooks, shared by all tasks that run with it (`HooksAttached`). Key: the contract's hookSet. */
export const hookSet = onchainTable('hook_set', (t) => ({
  /** keccak256(abi.encode(defaultCount, hooks)). */
  id: t.hex().primaryKey(),
  /** In the order they are called. */
  hooks: t.hex().array().notNull(),
  /** How many of the first are the market's default hooks; the rest is the requester's choice. */
  defaultCount: t.integer().notNull(),
  ...position(t),
}))
