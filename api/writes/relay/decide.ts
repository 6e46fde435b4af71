import { type AbiEvent, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import type { Queryable } from '../../db/client.ts'
import { failIntent, holdIntent, type MinedAt, markBroadcast, requeueIntent } from '../../db/relay.queries.ts'
import type { Deps } from '../../deps.ts'
import { proveArrival } from '../../payments/prove-arrival.ts'
import { isAuthorizationUsed } from '../../payments/verify.ts'
import type { BoundIntent, PaymentAuthorization, RelayLeg } from '../intent.ts'
import { actedFor } from './acted-for.ts'

/** What becomes of an intent whose call reverts (Chain, "Pay and act"). */
export type Decision =
  | { next: 'complete'; hash: Hex }
  | { next: 'relay'; leg: RelayLeg }
  | { next: 'fail'; reason: string; refund: boolean }
  | { next: 'hold'; reason: string }

const intentRelayed = getAbiItem({ abi: paymentForwarderAbi, name: 'IntentRelayed' }) as AbiEvent

/**
 * Decides by what is on chain, never by the revert alone: the intent may have acted already, and its authorization may
 * have been settled by somebody else. Spends nothing.
 * @param reason what the contracts said
 * @throws ChainUnavailable
 */
export async function decide(deps: Deps, intent: BoundIntent, reason: string): Promise<Decision> {
  const relayed = await findRelayedHash(deps, intent)
  if (relayed !== null) return { next: 'complete', hash: relayed }
  if (intent.payment === null) return { next: 'fail', reason, refund: false }
  return await decideByPayment(deps, intent, { payment: intent.payment, reason })
}

async function decideByPayment(
  deps: Deps,
  intent: BoundIntent,
  { payment, reason }: { payment: PaymentAuthorization; reason: string },
): Promise<Decision> {
  const isPrepaid = intent.leg === 'prepaid'
  if (!(await isAuthorizationUsed(deps, payment))) {
    // The settlement by somebody else was undone by a reorg: the authorization is ours to use again.
    if (isPrepaid) return { next: 'relay', leg: 'paid' }
    return { next: 'fail', reason, refund: false }
  }
  if (await isSpentInForwarder(deps, payment)) {
    return { next: 'hold', reason: `the forwarder spent this authorization elsewhere; the call said: ${reason}` }
  }
  switch (await proveArrival(deps, payment, { fromBlock: intent.boundAtBlock })) {
    case 'arrived':
      return isPrepaid ? { next: 'fail', reason, refund: true } : { next: 'relay', leg: 'prepaid' }
    case 'cancelled':
      return { next: 'fail', reason: 'the payer cancelled the authorization', refund: false }
    case 'unproven':
      return { next: 'hold', reason: 'the authorization is used and no transfer to the forwarder was found' }
    case 'unseen':
      throw new ChainUnavailable(`the authorization of intent ${intent.id} is used, and the node does not show where`)
  }
}

/** Stores a decision. `mined` is where the call reverted, if it was mined at all. */
export async function applyDecision(
  sql: Queryable,
  intent: BoundIntent,
  { decision, mined }: { decision: Decision; mined: MinedAt | null },
): Promise<void> {
  switch (decision.next) {
    case 'complete':
      return await markBroadcast(sql, intent.id, decision.hash)
    case 'relay':
      return await requeueIntent(sql, intent.id, decision.leg)
    case 'fail':
      return await failIntent(sql, intent.id, { reason: decision.reason, mined, refund: decision.refund })
    case 'hold':
      return await holdIntent(sql, intent.id, decision.reason)
  }
}

/** The transaction in which the forwarder relayed this intent; null when it did not, or relayed another call under its id. */
async function findRelayedHash({ chain, deployment }: Deps, intent: BoundIntent): Promise<Hex | null> {
  const isRelayed = await chain.read({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayed',
    args: [intent.chainIntentId],
  })
  if (!isRelayed) return null
  const logs = await chain.logs({
    address: deployment.forwarder,
    event: intentRelayed,
    args: { intentId: intent.chainIntentId },
    fromBlock: intent.boundAtBlock,
  })
  if (logs.length === 0) {
    throw new ChainUnavailable(`intent ${intent.id} was relayed, and the node does not show where`)
  }
  const relayed = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'IntentRelayed', logs: [...logs] })
  return relayed.find(({ args }) => actedFor(intent, args))?.transactionHash ?? null
}

async function isSpentInForwarder({ chain, deployment }: Deps, payment: PaymentAuthorization): Promise<boolean> {
  return await chain.read({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'spent',
    args: [payment.from, payment.nonce],
  })
}
