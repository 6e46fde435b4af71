import type { Detail } from '../../../protocol/details.ts'
import { ByteQuotaError } from '../../artifacts/byte-accounts.ts'
import { StorageFullError, StorageUnavailableError } from '../../artifacts/storage/object-store.ts'
import { type ChainHead, ChainUnavailable } from '../../chain/chain.ts'
import { Overloaded } from '../../concurrency/semaphore.ts'
import { isDatabaseUnavailable } from '../../db/client.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { findIntentByKey } from '../../intents/intents.queries.ts'
import type { WriteDeps } from '../write-deps.ts'
import { explainSpentPayment } from './accept-payment.ts'
import { keyReused } from './look-up-key.ts'

const TRACES_OF_A_WINNER = new Set(['payment_rejected', 'payment_preflight_rejected', 'payment_already_spent'])

/**
 * Returns the error for the caller after a failure in stages 3 to 9. If a concurrent request has used the key or
 * payment, the error names the write of that request. An unexpected failure charges nothing. The caller may then repeat
 * the request with the same key.
 * @param options.payment the `PAYMENT-SIGNATURE` header
 * @param options.head the chain's head at the start of the write; null if the write failed before the head was read
 */
export async function explainFailure(
  deps: WriteDeps,
  error: unknown,
  { key, payment, head }: { key: string; payment: string | undefined; head: ChainHead | null },
): Promise<unknown> {
  if (error instanceof ServiceError) {
    const isFounded = await isFoundedRefusal(deps, error, head)
    if (isFounded) return (await findWinner(deps, error, { key, payment })) ?? error
    return explainTrouble(
      new ChainUnavailable('the nodes do not agree', { cause: error }),
      key,
      deps.deployment.chainId,
    )
  }
  if (error instanceof StorageFullError || error instanceof ByteQuotaError) return error
  const trouble = explainTrouble(error, key, deps.deployment.chainId)
  if (trouble !== null) return trouble
  if (payment !== undefined) {
    return new ServiceError(
      500,
      'payment_rejected',
      'The payment could not be taken now; nothing was charged. Repeat the request with the same key.',
      { detail: 'payment_not_taken', intent: { idempotencyKey: key }, cause: error },
    )
  }
  return error
}

/**
 * Returns the error that tells the caller of a temporary trouble of the service, and that nothing was charged. Returns
 * null if `error` has a different cause.
 */
export function explainTrouble(error: unknown, key: string, chainId: number): ServiceError | null {
  const trouble = troubleOf(error, chainId)
  return trouble === null
    ? null
    : new ServiceError(
        503,
        'idempotency_check_unavailable',
        `${trouble.fact}; nothing was charged. Repeat the request with the same key.`,
        { detail: trouble.detail, intent: { idempotencyKey: key }, headers: { 'Retry-After': '2' }, cause: error },
      )
}

function troubleOf(error: unknown, chainId: number): { fact: string; detail: Detail } | null {
  if (isDatabaseUnavailable(error)) {
    return { fact: 'The service cannot write to its database now', detail: 'database_unavailable' }
  }
  if (error instanceof ChainUnavailable) {
    return { fact: `The service got no answer from a node of chain ${chainId}`, detail: 'node_unavailable' }
  }
  if (error instanceof StorageUnavailableError) {
    return { fact: 'The service cannot reach its files now', detail: 'storage_unavailable' }
  }
  return error instanceof Overloaded ? { fact: error.fact, detail: 'overloaded' } : null
}

/**
 * Returns true if the caller can rely on an error. A refusal (status below 500) may be based on the state of a single
 * node. The caller can rely on a refusal only if the nodes agree on the latest block.
 */
async function isFoundedRefusal(
  { chain }: WriteDeps,
  { status }: ServiceError,
  head: ChainHead | null,
): Promise<boolean> {
  if (status >= 500 || head === null) return true
  return await chain.isUndisputed(head).catch(() => false)
}

async function findWinner(
  deps: WriteDeps,
  error: ServiceError,
  { key, payment }: { key: string; payment: string | undefined },
): Promise<ServiceError | null> {
  if (!TRACES_OF_A_WINNER.has(error.reason)) return null
  const winner = await findIntentByKey(deps.sql, key)
  if (winner !== null && winner.status !== 'reserved') return keyReused(winner)
  // Refused by the rules, before the payment was looked at.
  if (payment === undefined || error.reason !== 'payment_preflight_rejected') return null
  return await explainSpentPayment(deps, payment, { idempotencyKey: key })
}
