import { ServiceError } from '../../errors/service-error.ts'
import type { WriteDeps } from '../write-deps.ts'

/** The wait for a retry, seconds: an operator tops relayers up by hand. */
const RETRY_AFTER_SECONDS = 30

/**
 * Requires a funded relayer in stage 5, so that the service takes no payment that it could not send. A bound write
 * waits for a top-up.
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
