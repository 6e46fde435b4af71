import type { BoundIntent } from '../../intents/intent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { findIndexedRelays, type IndexedRelay } from './indexed-relays.queries.ts'

/** What the indexer saw of these intents. One that cannot be asked has seen nothing: receipts go on without it. */
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
    deps.log.warn({ err: error }, 'the indexer’s rows could not be read')
    return new Map()
  }
}
