import { DATA_VERSION } from '../db/data-version.ts'

/** How far the rows are, while a reader may not have them. */
export interface MissingRows {
  blockNumber: bigint
  /** The height to come; null: they are written for the first time. */
  recoversTo: bigint | null
  /** The oldest data version of a service that may read them. */
  oldestVersion: number
}

/** Says in one sentence why no rows are served: fewer rows, or rows read wrongly, would look like a right answer. */
export function describeMissingRows({ blockNumber, recoversTo, oldestVersion }: MissingRows): string {
  if (oldestVersion > DATA_VERSION) {
    return `The index was written by a newer release (data version ${oldestVersion}) than this one, which reads ${DATA_VERSION}.`
  }
  const height = recoversTo === null ? '' : ` up to block ${recoversTo}`
  return `The index is being written${height} and is at block ${blockNumber}; some rows are missing now.`
}
