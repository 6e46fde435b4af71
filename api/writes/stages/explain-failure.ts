import { ByteQuotaError } from '../../artifacts/byte-accounts.ts'
import { StorageFullError, StorageUnavailableError } from '../../artifacts/storage/object-store.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import { Overloaded } from '../../concurrency/semaphore.ts'
import { isDatabaseUnavailable } from '../../db/client.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { findIntentByKey } from '../../intents/intents.queries.ts'
import type { WriteDeps } from '../write-deps.ts'
import { keyReused } from './look-up-key.ts'

const TRACES_OF_A_WINNER = new Set(['payment_rejected', 'payment_preflight_rejected', 'payment_already_spent'])

/**
 * After a failure in stages 3 to 9: what it means to the caller. A request that lost a race sees the winner's traces (a
 * used authorization, a changed task): then the answer is that the key is taken. An unexpected failure has charged
 * nothing either, and the caller may repeat the request with the same key.
 */
export async function explainFailure(
  deps: WriteDeps,
  error: unknown,
  { key, isPaid }: { key: string; isPaid: boolean },
): Promise<unknown> {
  if (error instanceof ServiceError) return (await findWinner(deps, error, key)) ?? error
  if (error instanceof StorageFullError || error instanceof ByteQuotaError) return error
  const trouble = explainTrouble(error, key)
  if (trouble !== null) return trouble
  if (isPaid) {
    return new ServiceError(
      500,
      'payment_rejected',
      'The payment could not be taken now; nothing was charged. Repeat the request with the same key.',
      { intent: { idempotencyKey: key }, cause: error },
    )
  }
  return error
}

/** Says that the service itself lacks something for now, while its write has charged nothing; null when it does not. */
export function explainTrouble(error: unknown, key: string): ServiceError | null {
  const trouble = troubleOf(error)
  return trouble === null
    ? null
    : new ServiceError(
        503,
        'idempotency_check_unavailable',
        `${trouble}; nothing was charged. Repeat the request with the same key.`,
        { intent: { idempotencyKey: key }, headers: { 'Retry-After': '2' }, cause: error },
      )
}

function troubleOf(error: unknown): string | null {
  if (isDatabaseUnavailable(error)) return 'The service cannot reach its data now'
  if (error instanceof ChainUnavailable) return 'The service got no answer from the chain'
  if (error instanceof StorageUnavailableError) return 'The service cannot reach its files now'
  return error instanceof Overloaded ? error.fact : null
}

async function findWinner(deps: WriteDeps, error: ServiceError, key: string): Promise<ServiceError | null> {
  if (!TRACES_OF_A_WINNER.has(error.reason)) return null
  const winner = await findIntentByKey(deps.sql, key)
  return winner === null || winner.status === 'reserved' ? null : keyReused(winner)
}
