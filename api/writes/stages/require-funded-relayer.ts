import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { listSolventRelayers } from '../../relayer/transactions/relayer-balances.ts'

/** Gas money comes by hand: whoever is refused now need not come back every second. */
const RETRY_AFTER_SECONDS = 30

/**
 * No payment is asked for, and none taken, that nobody could send: a relayer without ether is no reason for a payer to
 * wait. What is bound already waits and goes on after a top-up.
 * @throws ServiceError 503 `idempotency_check_unavailable` when none of this service's relayers can pay for gas
 */
export async function requireGasMoney(deps: Deps, key: string): Promise<void> {
  if ((await listSolventRelayers(deps)).length > 0) return
  throw new ServiceError(
    503,
    'idempotency_check_unavailable',
    'The service cannot send transactions now; nothing was charged. Repeat the request with the same key later.',
    { intent: { idempotencyKey: key }, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  )
}
