import { ServiceError, type ServiceErrorOptions } from './service-error.ts'

/** A recovery takes some seconds. */
const RETRY_AFTER_SECONDS = '2'

/** How far the rows are, where some are missing. */
export interface MissingRows {
  blockNumber: bigint
  /** The height to come; null: they are written for the first time. */
  recoversTo: bigint | null
}

/**
 * The 503 of what is made of the indexer's rows while some of them are missing: an answer of fewer rows looks like a
 * whole one.
 * @param intent of a write, which has charged nothing
 */
export function missingRows(
  { blockNumber, recoversTo }: MissingRows,
  intent?: ServiceErrorOptions['intent'],
): ServiceError {
  const height = recoversTo === null ? '' : ` up to block ${recoversTo}`
  const remedy =
    intent === undefined ? 'Send the request again' : 'Nothing was charged; repeat the request with the same key'
  return new ServiceError(
    503,
    intent === undefined ? 'unclassified' : 'idempotency_check_unavailable',
    `The index is being written${height} and is at block ${blockNumber}; some rows are missing now. ${remedy}.`,
    {
      detail: 'index_recovering',
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      ...(intent !== undefined && { intent }),
    },
  )
}
