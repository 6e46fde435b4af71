import { ServiceError } from '../../errors/service-error.ts'
import type { WriteDeps } from '../write-deps.ts'

/** The value of `Retry-After` in seconds. It is long because an operator adds funds to relayers by hand. */
const RETRY_AFTER_SECONDS = 30

/**
 * Checks, in stage 5, that a relayer can pay for gas. Only new writes are refused. Writes that are already bound wait
 * for new funds.
 * @throws ServiceError 503 `idempotency_check_unavailable` when none of this service's relayers can pay for gas
 */
export async function requireFundedRelayer(deps: WriteDeps, key: string): Promise<void> {
  if (await deps.writes.relayer.isFunded()) return
  throw new ServiceError(
    503,
    'idempotency_check_unavailable',
    'The service cannot send transactions now; nothing was charged. Repeat the request with the same key later.',
    {
      detail: 'relayer_unfunded',
      intent: { idempotencyKey: key },
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    },
  )
}
