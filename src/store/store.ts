import type { Context } from 'ponder:registry'

/**
 * Ponder's store, which reads and writes rows by their primary keys. It caches rows and writes in the transaction of
 * the block.
 */
export type Store = Context['db']
