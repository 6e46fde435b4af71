import { describeMissingRows, type MissingRows } from '../read-model/missing-rows.ts'
import { ServiceError, type ServiceErrorOptions } from './service-error.ts'

/**
 * The value of the header `Retry-After`, in seconds. After this time, the indexer has usually written the missing rows.
 */
const RETRY_AFTER_SECONDS = '2'

/**
 * Returns the 503 error for a request that the service cannot answer, because the indexer has not written all rows.
 * @param intent the intent of a refused write; absent for a read. If given, the message says that nothing was charged
 */
export function missingRows(rows: MissingRows, intent?: ServiceErrorOptions['intent']): ServiceError {
  const remedy =
    intent === undefined ? 'Send the request again' : 'Nothing was charged; repeat the request with the same key'
  return new ServiceError(
    503,
    intent === undefined ? 'unclassified' : 'idempotency_check_unavailable',
    `${describeMissingRows(rows)} ${remedy}.`,
    {
      detail: 'index_recovering',
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      ...(intent !== undefined && { intent }),
    },
  )
}
