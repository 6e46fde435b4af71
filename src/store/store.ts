import type { Context } from 'ponder:registry'

/** Ponder's store, which reads and writes rows by their primary keys. */
export type Store = Context['db']
