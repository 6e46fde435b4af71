import type { Context } from 'ponder:registry'

/** Ponder's store: rows by primary key, cached, in the transaction of the block. */
export type Store = Context['db']
