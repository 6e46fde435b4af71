import { DATA_VERSION } from '../db/data-version.ts'

/** The progress of rows that readers may not use yet. */
export interface MissingRows {
  blockNumber: bigint
  /** The target height; null: they are written for the first time. */
  recoversTo: bigint | null
  /** The oldest data version of a service that may read them. */
  oldestVersion: number
}

/**
 * Returns the reason, in one sentence, why no rows are served: missing or misread rows would look like a correct
 * answer.
 */
export function describeMissingRows({ blockNumber, recoversTo, oldestVersion }: MissingRows): string {
  if (oldestVersion > DATA_VERSION) {
    return `The index was written by a newer release (data version ${oldestVersion}) than this one, which reads ${DATA_VERSION}.`
  }
  const height = recoversTo === null ? '' : ` up to block ${recoversTo}`
  return `The index is being written${height} and is at block ${blockNumber}; some rows are missing now.`
}
