import type { BoundIntent } from '../../intents/intent.ts'
import { searchFrom } from '../../intents/search-from.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { findRefund } from '../../payments/spent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { findRelayOfPayment } from './indexed-relays.queries.ts'
import type { Decision } from './resolution.ts'

/**
 * The forwarder spent an intent's authorization, and not on the intent. Given back: it failed, and the refund is found
 * in its turn. Otherwise somebody with a relayer's key spent it on another call: an operator has to know.
 * @throws ChainUnavailable
 */
export async function explainSpending(
  deps: RelayerDeps,
  intent: BoundIntent,
  { payment, reason }: { payment: PaymentAuthorization; reason: string },
): Promise<Decision> {
  if ((await findRefund(deps, payment, { fromBlock: searchFrom(intent) })) !== null)
    return { next: 'fail', reason, refund: true }
  const relay = await findRelayOfPayment(deps.sql, { payer: payment.from, nonce: payment.nonce })
  const where = relay === null ? 'where the indexer does not show yet' : `in transaction ${relay.transactionHash}`
  return { next: 'hold', finding: `the forwarder spent this authorization on another call, ${where}` }
}
