import { SigningError } from '../account/account.ts'
import { StoreError } from '../store/store.ts'
import type { Refusal } from './outcome.ts'
import { Refused } from './write-spec.ts'

/**
 * Converts an error that stopped a write to a refusal: a Refused, a SigningError or a StoreError.
 * @throws the error itself if it is of another class
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal
  if (error instanceof SigningError) return { reason: 'signing_failed', message: error.message, status: null }
  if (error instanceof StoreError)
    return { reason: 'no_store', message: `${error.message} Nothing was sent.`, status: null }
  throw error
}
