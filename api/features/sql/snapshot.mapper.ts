import type { Snapshot } from '../../analytics/run-query.ts'
import { toTimestamp } from '../../http/response-schemas.ts'

/** What every answer names: the block of its rows, and the deployment that wrote them. */
export function toSnapshot(snapshot: Snapshot | null) {
  if (snapshot === null) return { block: null, schemaVersion: null }
  return {
    block: { number: Number(snapshot.blockNumber), timestamp: toTimestamp(snapshot.blockTimestamp) },
    schemaVersion: snapshot.schemaVersion === '' ? null : snapshot.schemaVersion,
  }
}
