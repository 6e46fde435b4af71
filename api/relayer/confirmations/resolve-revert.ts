import { isBound } from '../../../protocol/relay.ts'
import { ChainUnavailable, type MinedTransaction } from '../../chain/chain.ts'
import { refundOwed } from '../../domain/refund-owed.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent, ForwardedIntent, SubmittedIntent } from '../../intents/intent.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import { type EarlierUndone, findEarlierUndone } from '../../intents/undone.queries.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { findAuthorizationUse } from '../../payments/authorization-use.ts'
import { findPrepaidLeft } from '../../payments/prepaid-limit.ts'
import { findSubmissionUse } from '../../payments/submission-use.ts'
import { isAuthorizationUsed } from '../../payments/verify.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { type BlockSnapshot, pinBlock } from './block-snapshot.ts'
import { EXPIRED } from './expired-payment.ts'
import { findRelayed } from './find-relayed.ts'
import { findRelayOfPayment } from './indexed-relays.queries.ts'
import type { Resolution } from './resolution.ts'

/**
 * Decides what happens to an intent whose call reverted. The decision is based on the chain's state, because the call
 * may already have acted in another transaction. A reorg may have undone earlier writes. Until those writes are mined
 * again, the intent waits. Sends no transaction.
 * @param revertedTransaction the intent's transaction that reverted; null when only a simulation reverted
 * @throws ChainUnavailable
 */
export async function resolveRevert(
  deps: RelayerDeps,
  intent: BoundIntent,
  revertedTransaction: MinedTransaction | null,
): Promise<Resolution> {
  // Read before the state: a write that completes in between is waited for once too often, never too little.
  const earlierUndone = await findEarlierUndone(deps.sql, intent)
  const resolution = await resolveInOrder(deps, intent, { mined: revertedTransaction, earlier: earlierUndone })
  if (resolution.next !== 'fail' || !resolution.isRevert || !earlierUndone.isAnyOpen) return resolution
  return { next: 'wait' }
}

async function resolveInOrder(
  deps: RelayerDeps,
  intent: BoundIntent,
  { mined: minedNow, earlier }: { mined: MinedTransaction | null; earlier: EarlierUndone },
): Promise<Resolution> {
  const view = await pinBlock(deps, latest(intent.boundAtBlock, minedNow?.blockNumber, earlier.completedAt))
  // A revert before the needed writes were mined again counts only as a simulation on an older state.
  const isOutOfOrder = minedNow !== null && earlier.completedAt !== null && minedNow.blockNumber <= earlier.completedAt
  const orderedTransaction = isOutOfOrder ? null : minedNow
  if (!('relay' in intent)) return await resolveSubmitted(deps, intent, { mined: orderedTransaction, view })
  const completion = await findRelayed(deps, intent, view)
  if (completion !== null) return { next: 'complete', ...completion }
  if (await hasExpiredUnused(deps, intent, view)) return { next: 'fail', reason: EXPIRED.message, refund: false }
  const simulation = await view.simulate(intent)
  // The revert was on an older state, or its cause is over, so the call can act.
  if (simulation.outcome === 'ok' && orderedTransaction === null) return { next: 'relay', mode: intent.relay.mode }
  const reason = simulation.outcome === 'ok' ? 'the call reverted on chain' : simulation.revert.message
  const payment = paymentOf(intent)
  if (payment === null) return toRevert(reason)
  return await resolveByPayment(deps, intent, { payment, reason, view, isRevert: true })
}

function latest(...blocks: (bigint | null | undefined)[]): bigint {
  return blocks.reduce<bigint>((highest, block) => (block != null && block > highest ? block : highest), 0n)
}

/**
 * Decides what happens to a foreign call (a call that also runs an account's code) if no gas account can pay for its
 * gas. If the call was already made, its intent is completed. If another payment mode is possible, the call is relayed
 * in this mode. If the payment was spent in an unclear way, the intent is held. Otherwise the intent fails, and a plain
 * payment that has arrived is refunded. Sends no transaction.
 * @throws ChainUnavailable
 */
export async function resolveUncovered(deps: RelayerDeps, intent: BoundIntent): Promise<Resolution> {
  const view = await pinBlock(deps, intent.boundAtBlock)
  const reason = 'the gas that this service spends on code of other accounts was used up: send it directly'
  if (!('relay' in intent)) return (await findSubmittedEnd(deps, intent, view)) ?? toFailure(reason)
  const completion = await findRelayed(deps, intent, view)
  if (completion !== null) return { next: 'complete', ...completion }
  const payment = paymentOf(intent)
  if (payment === null) return toFailure(reason)
  return await resolveByPayment(deps, intent, { payment, reason, view })
}

/**
 * Decides what happens to a reverted intent whose call any account may submit. If the call was already made, the intent
 * is completed. If the call can still be made, it is sent again. Otherwise the intent fails.
 */
async function resolveSubmitted(
  deps: RelayerDeps,
  intent: SubmittedIntent,
  { mined, view }: { mined: MinedTransaction | null; view: BlockSnapshot },
): Promise<Resolution> {
  const end = await findSubmittedEnd(deps, intent, view)
  if (end !== null) return end
  if (view.timestamp >= intent.validBefore) return toFailure(EXPIRED.message)
  const simulation = await view.simulate(intent)
  if (simulation.outcome === 'reverted') return toRevert(simulation.revert.message)
  return mined === null ? { next: 'relay', mode: null } : toRevert('the call reverted on chain')
}

/**
 * Decides what happens to an intent whose authorization was used or cancelled on chain. If the authorization was used
 * by this call, the intent is completed. If it was used by a different call or cancelled, the intent fails. Returns
 * null if the authorization is unused.
 */
async function findSubmittedEnd(
  deps: RelayerDeps,
  intent: SubmittedIntent,
  { blockNumber }: BlockSnapshot,
): Promise<Resolution | null> {
  const submission = await findSubmissionUse(deps, intent, { fromBlock: fromBlockOf(intent), blockNumber })
  switch (submission.use) {
    case 'unused':
      return null
    case 'made':
      return { next: 'complete', hash: submission.hash, blockNumber: submission.blockNumber }
    case 'cancelled':
      return toFailure('the owner cancelled the authorization')
    case 'otherwise':
      return toFailure('the authorization was used for another transfer')
    case 'unseen':
      throw new ChainUnavailable(`the authorization of intent ${intent.id} is used, and the node does not show where`)
  }
}

function toFailure(reason: string): Resolution {
  return { next: 'fail', reason, refund: false }
}

function toRevert(reason: string): Resolution {
  return { next: 'fail', reason, refund: false, isRevert: true }
}

/**
 * Returns true if the payment expired and was not used. The call of such an intent must not be simulated: the
 * simulation would run the code of the payer's contract wallet, and this code might never end.
 */
async function hasExpiredUnused(deps: RelayerDeps, intent: ForwardedIntent, view: BlockSnapshot): Promise<boolean> {
  const payment = paymentOf(intent)
  if (payment === null || view.timestamp < payment.validBefore) return false
  return !(await isAuthorizationUsed(deps, payment, view))
}

interface PaidRevert {
  payment: PaymentAuthorization
  reason: string
  view: BlockSnapshot
  /**
   * True if a revert of the call is the only reason for the failure. Such a failure may be temporary: if a reorg has
   * undone earlier writes, the call may succeed once these writes are mined again.
   */
  isRevert?: true
}

async function resolveByPayment(
  deps: RelayerDeps,
  intent: ForwardedIntent,
  { payment, reason, view, isRevert }: PaidRevert,
): Promise<Resolution> {
  if (isBound(payment))
    return await resolveByBoundPayment(deps, intent, { payment, reason, view, ...(isRevert && { isRevert }) })
  const canStillAct = intent.relay.mode === 'paid'
  const authorizationUse = await findAuthorizationUse(deps, payment, {
    fromBlock: fromBlockOf(intent),
    blockNumber: view.blockNumber,
  })
  const refund = refundOwed(authorizationUse.use, { canStillAct }) === 'refund'
  const failure: Resolution = { next: 'fail', reason, refund, ...(isRevert && { isRevert }) }
  switch (authorizationUse.use) {
    case 'unused':
      // A reorg undid the settlement by another account, so the authorization can be used again.
      return canStillAct ? failure : { next: 'relay', mode: 'paid' }
    case 'arrived':
      return canStillAct ? await resolveArrived(deps, { payment, view }) : failure
    case 'refunded':
      return { next: 'fail', reason, refund }
    case 'spent_on_call':
      return await holdSpent(deps, payment)
    case 'cancelled':
      return { next: 'fail', reason: 'the payer cancelled the authorization', refund }
    case 'elsewhere': {
      const finding = `transaction ${authorizationUse.transaction} used the authorization to pay another account`
      const isFinal = authorizationUse.blockNumber <= (await deps.chain.safeBlockNumber())
      return isFinal
        ? { next: 'fail', reason: finding, refund }
        : { next: 'hold', finding, untilBlock: authorizationUse.blockNumber }
    }
    case 'unproven':
      return {
        next: 'hold',
        finding: `transaction ${authorizationUse.transaction} used the authorization, and not to pay ${payment.value} here`,
      }
    case 'unseen':
      throw new ChainUnavailable(`the authorization of intent ${intent.id} is used, and the node does not show where`)
  }
}

/**
 * Decides what happens to a write if another account submitted the write's payment to USDC, so the money is already in
 * the forwarder (prepaid). If the amount is within the payer's daily limit for prepaid money, the write's call is
 * relayed at once. Otherwise the write fails and the payment is refunded (interface specification, "Bound payments").
 */
async function resolveArrived(
  deps: RelayerDeps,
  { payment, view }: Pick<PaidRevert, 'payment' | 'view'>,
): Promise<Resolution> {
  const prepaidBalance = await findPrepaidLeft(deps, payment, view)
  if (prepaidBalance === null || payment.value <= prepaidBalance) return { next: 'relay', mode: 'prepaid' }
  const reason =
    `another account submitted the payment, and ${payment.value} base units are above the ${prepaidBalance} of prepaid money that may ` +
    'act today'
  return { next: 'fail', reason, refund: true }
}

/**
 * Decides what happens to a write with a bound payment whose call was not made. If the forwarder spent the payment on a
 * different call, the write is held. Otherwise the write fails. No refund is needed, because a bound payment is only
 * collected together with its call.
 */
async function resolveByBoundPayment(
  deps: RelayerDeps,
  intent: ForwardedIntent,
  { payment, reason, view, isRevert }: PaidRevert,
): Promise<Resolution> {
  const at = { fromBlock: fromBlockOf(intent), blockNumber: view.blockNumber }
  const { use } = await findAuthorizationUse(deps, payment, at)
  switch (use) {
    case 'unused':
      return { next: 'fail', reason, refund: false, ...(isRevert && { isRevert }) }
    case 'cancelled':
      return toFailure('the payer cancelled the authorization')
    case 'spent_on_call':
      return await holdSpent(deps, payment)
    case 'unseen':
      throw new ChainUnavailable(`the authorization of intent ${intent.id} is used, and the node does not show where`)
    default:
      return toFailure('the payer used the nonce of this payment for another authorization')
  }
}

/**
 * Returns the resolution `hold`: the intent waits until an operator decides. Called if the forwarder spent the intent's
 * payment on a different call. Only a relayer's key can cause this.
 */
async function holdSpent(deps: RelayerDeps, { from, nonce }: PaymentAuthorization): Promise<Resolution> {
  const relay = await findRelayOfPayment(deps.sql, { payer: from, nonce })
  const where = relay === null ? 'where the indexer does not show yet' : `in transaction ${relay.transactionHash}`
  return { next: 'hold', finding: `the forwarder spent this authorization on another call, ${where}` }
}
