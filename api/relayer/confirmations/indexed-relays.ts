import type { BoundIntent } from '../../intents/intent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { findIndexedRelays, type IndexedRelay } from './indexed-relays.queries.ts'

/**
 * Returns the indexed calls of these intents. Returns an empty result if the index cannot be read: the caller then uses
 * receipts.
 */
export async function listIndexedRelays(
  deps: RelayerDeps,
  intents: readonly Pick<BoundIntent, 'id'>[],
): Promise<ReadonlyMap<string, IndexedRelay>> {
  try {
    return await findIndexedRelays(
      deps.sql,
      intents.map(({ id }) => id),
    )
  } catch (error) {
    deps.log.warn({ err: error }, 'indexer rows read failed')
    return new Map()
  }
}
