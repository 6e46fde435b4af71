import { ChainUnavailable, type MinedTransaction } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { searchFrom } from '../../intents/search-from.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { proveArrival } from '../../payments/prove-arrival.ts'
import { isSpentInForwarder } from '../../payments/spent.ts'
import { isAuthorizationUsed } from '../../payments/verify.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { type ChainView, viewChain } from './chain-view.ts'
import { EXPIRED } from './expired-payment.ts'
import { explainSpending } from './explain-spent-payment.ts'
import { findRelayed } from './find-relayed.ts'
import type { Decision } from './resolution.ts'

/**
 * Decides by what is on chain, never by the revert alone: the intent may have acted already, and its authorization may
 * have been settled by another account. Nothing is concluded from a state older than the bind, or than the transaction
 * the decision is about. Spends nothing.
 * @param mined the intent's transaction that came to nothing; null when a simulation alone speaks against the call
 * @throws ChainUnavailable
 */
export async function decide(
  deps: RelayerDeps,
  intent: BoundIntent,
  mined: MinedTransaction | null,
): Promise<Decision> {
  const minedAt = mined?.blockNumber ?? 0n
  const view = await viewChain(deps, minedAt > intent.boundAtBlock ? minedAt : intent.boundAtBlock)
  const relayed = await findRelayed(deps, intent, view)
  if (relayed !== null) return { next: 'complete', ...relayed }
  if (await hasExpiredUnused(deps, intent, view)) return { next: 'fail', reason: EXPIRED.message, refund: false }
  const simulation = await view.simulate(intent)
  // What spoke against the call was seen on an older state, or is over: it can act.
  if (simulation.outcome === 'ok' && mined === null) return { next: 'relay', leg: intent.leg }
  const reason = simulation.outcome === 'ok' ? 'the call reverted on chain' : simulation.revert.message
  if (intent.payment === null) return { next: 'fail', reason, refund: false }
  return await decideByPayment(deps, intent, { payment: intent.payment, reason, view })
}

/** Nothing can use it any more. Found without running the call: a wallet's own code may take as long as it likes. */
async function hasExpiredUnused(deps: RelayerDeps, { payment }: BoundIntent, view: ChainView): Promise<boolean> {
  if (payment === null || view.timestamp < payment.validBefore) return false
  return !(await isAuthorizationUsed(deps, payment, view))
}

interface PaidRevert {
  payment: PaymentAuthorization
  reason: string
  view: ChainView
}

async function decideByPayment(
  deps: RelayerDeps,
  intent: BoundIntent,
  { payment, reason, view }: PaidRevert,
): Promise<Decision> {
  const isPrepaid = intent.leg === 'prepaid'
  if (!(await isAuthorizationUsed(deps, payment, view))) {
    // The settlement by somebody else was undone by a reorg: the authorization is ours to use again.
    if (isPrepaid) return { next: 'relay', leg: 'paid' }
    return { next: 'fail', reason, refund: false }
  }
  if (await isSpentInForwarder(deps, payment, view)) return await explainSpending(deps, intent, { payment, reason })
  const arrival = await proveArrival(deps, payment, { fromBlock: searchFrom(intent) })
  switch (arrival.outcome) {
    case 'arrived':
      return isPrepaid ? { next: 'fail', reason, refund: true } : { next: 'relay', leg: 'prepaid' }
    case 'cancelled':
      return { next: 'fail', reason: 'the payer cancelled the authorization', refund: false }
    case 'elsewhere': {
      const finding = `transaction ${arrival.transaction} used the authorization to pay another account`
      const isFinal = arrival.blockNumber <= (await deps.chain.safeBlockNumber())
      if (isFinal) return { next: 'fail', reason: finding, refund: false }
      return { next: 'hold', finding, untilBlock: arrival.blockNumber }
    }
    case 'unproven':
      return {
        next: 'hold',
        finding: `transaction ${arrival.transaction} used the authorization, and not to pay ${payment.value} here`,
      }
    case 'unseen':
      throw new ChainUnavailable(`the authorization of intent ${intent.id} is used, and the node does not show where`)
  }
}
