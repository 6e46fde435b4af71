import { ServiceError } from '../../errors/service-error.ts'
import type { WriteDeps } from '../write-deps.ts'

/** An operator tops relayers up by hand, so a refused caller need not come back every second. */
const RETRY_AFTER_SECONDS = 30

/**
 * Stage 5: the service neither asks for a payment nor takes one that no relayer could send. A write that is bound
 * already waits for a top-up.
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
