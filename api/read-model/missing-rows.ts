import { DATA_VERSION } from '../db/data-version.ts'

/**
 * The progress of the indexer while some of its rows are missing. During this time, the service reads none of the
 * indexer's rows.
 */
export interface MissingRows {
  blockNumber: bigint
  /**
   * The block that the rows had reached before the indexer reverted them (a recovery). The indexer must write its rows
   * up to this block again. Null if no recovery runs, for example if the indexer writes its rows for the first time.
   */
  recoversTo: bigint | null
  /** The oldest data version of a service that may read these rows. */
  oldestVersion: number
}

/** Returns one sentence with the reason why no rows are served. */
export function describeMissingRows({ blockNumber, recoversTo, oldestVersion }: MissingRows): string {
  if (oldestVersion > DATA_VERSION) {
    return `The index was written by a newer release (data version ${oldestVersion}) than this one, which reads ${DATA_VERSION}.`
  }
  const height = recoversTo === null ? '' : ` up to block ${recoversTo}`
  return `The index is being written${height} and is at block ${blockNumber}; some rows are missing now.`
}
