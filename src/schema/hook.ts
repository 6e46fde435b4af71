import { onchainTable } from 'ponder'
import { position } from './position.ts'

/** One row per list of hooks (`HooksAttached`), shared by all tasks that run with it. Key: the contract's hookSet. */
export const hookSet = onchainTable('hook_set', (t) => ({
  /** keccak256(abi.encode(defaultCount, hooks)). */
  id: t.hex().primaryKey(),
  /** Addresses of the hooks in the order of the calls. */
  hooks: t.hex().array().notNull(),
  /** Number of default hooks of the market at the start of the list. The requester chose the others. */
  defaultCount: t.integer().notNull(),
  ...position(t),
}))
