import type { PaymentRequirements } from '@x402/core/types'
import { isBound } from '../../../protocol/relay.ts'
import type { Clocks } from '../../../protocol/windows.ts'
import type { ChainHead } from '../../chain/chain.ts'
import { refundOwed } from '../../domain/refund-owed.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import type { Intent } from '../../intents/intent.ts'
import { findIntentByPayment } from '../../intents/intents.queries.ts'
import type { Operation } from '../../intents/operations.ts'
import { recordOrphanedPayment } from '../../intents/orphaned-payments.queries.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { findAuthorizationUse } from '../../payments/authorization-use.ts'
import { isForRequirement, readPayment } from '../../payments/decode.ts'
import { isSpentInForwarder } from '../../payments/spent.ts'
import { type PaymentProblem, verifyPayment } from '../../payments/verify.ts'
import { factsOf } from '../intent-facts.ts'
import type { WriteDeps } from '../write-deps.ts'
import { acceptPresentedAgain } from './accept-presented-again.ts'

/**
 * The number of latest blocks in which the service searches for a transaction. If a payment's authorization is used on
 * chain but funds no known write, the service searches for the transaction that used the authorization.
 */
const ORPHAN_SEARCH_BLOCKS = 5_000n

export interface PaymentRequest extends Presented {
  /** The value of the request header `PAYMENT-SIGNATURE`. */
  header: string
  requirement: PaymentRequirements
  /** The two times (latest block and host) against which the payment's time window is checked. */
  clocks: Clocks
  /** Returns the 402 error that states the problem. */
  reject: (problem: PaymentProblem) => ServiceError
}

/** A payment that passed the checks of stage 7. The payment can fund the request's write. */
export interface AcceptedPayment {
  payment: PaymentAuthorization
  /**
   * True if a relayer sent the payment's call before the service recorded the write. The service then does not simulate
   * the call, because the payment is already spent.
   */
  isRelayed: boolean
}

/**
 * Decodes and checks the payment of a request in stage 7. The payment must match the requirement, be valid, and fund no
 * other write. Moves no money.
 * @throws ServiceError `payment_rejected`, `payment_already_spent`
 */
export async function acceptPayment(deps: WriteDeps, request: PaymentRequest): Promise<AcceptedPayment> {
  const { header, requirement, clocks, intent, reject } = request
  const decoding = readPayment(deps.deployment, header)
  if (decoding.payment === null) {
    const { message, field } = decoding
    const issues = field === undefined ? [] : [{ path: field, message }]
    throw new ServiceError(400, 'payment_rejected', message, { detail: 'payment_malformed', intent, issues })
  }
  const presentedPayment = decoding.payment
  if (!isForRequirement(presentedPayment, requirement)) {
    throw reject({
      message: 'The payment is for another requirement than this request’s; sign the one in this challenge.',
      detail: 'payment_differs',
    })
  }
  // The node request runs meanwhile; a payment that is spent here is refused for that reason first.
  const pendingVerification = verifyPayment(deps, presentedPayment, { requirement, clocks })
  pendingVerification.catch(() => {})
  await refuseSpentPayment(deps, presentedPayment.authorization, intent)
  const verification = await pendingVerification
  switch (verification.verdict) {
    case 'valid':
      return { payment: presentedPayment.authorization, isRelayed: false }
    case 'invalid':
      throw reject(verification.problem)
    case 'used':
      if (await isRelayedAlone(deps, presentedPayment.authorization, intent)) {
        return { payment: presentedPayment.authorization, isRelayed: true }
      }
      throw (
        (await explainUsedPayment(deps, presentedPayment.authorization, request)) ??
        reject({
          message: 'The authorization is used or cancelled on chain; sign a new one.',
          detail: 'authorization_used',
        })
      )
  }
}

/**
 * Returns true if the payment is bound, the forwarder has spent it on chain, and it funds no write that this service
 * knows. The forwarder has then made the payment's call, or refunded the payment. Returns false for a plain payment.
 * @throws ServiceError if the payment already funds a write
 */
async function isRelayedAlone(deps: WriteDeps, payment: PaymentAuthorization, intent: IntentFacts): Promise<boolean> {
  if (!isBound(payment)) return false
  await refuseSpentPayment(deps, payment, intent)
  return await isSpentInForwarder(deps, payment)
}

/**
 * Refuses a payment authorization that already funds another intent.
 * @throws ServiceError `payment_already_spent`
 */
async function refuseSpentPayment(deps: WriteDeps, payment: PaymentAuthorization, intent: IntentFacts): Promise<void> {
  const refusal = await findSpentPayment(deps, payment, intent)
  if (refusal !== null) throw refusal
}

/**
 * Returns the refusal of a payment that already funds an intent. Returns null if the payment is new, malformed, or not
 * signed by the payer. Called after the rules have refused a write, because the rules may have refused it only because
 * an earlier request has already made the same write with the same payment.
 */
export async function explainSpentPayment(
  deps: WriteDeps,
  header: string,
  intent: IntentFacts,
): Promise<ServiceError | null> {
  const { payment } = readPayment(deps.deployment, header)
  return payment && (await findSpentPayment(deps, payment.authorization, intent))
}

/**
 * Returns the refusal of an authorization that already funds an intent. Returns null if the authorization is new or the
 * payer did not sign it.
 */
async function findSpentPayment(
  deps: WriteDeps,
  payment: PaymentAuthorization,
  intent: IntentFacts,
): Promise<ServiceError | null> {
  const { usdc } = deps.deployment
  const fundedIntent = await findIntentByPayment(deps.sql, { asset: usdc, payer: payment.from, nonce: payment.nonce })
  if (fundedIntent === null) return null
  const { isGenuine, refundStatus } = await acceptPresentedAgain(deps, fundedIntent, payment)
  // The nonce alone is public, so it proves nothing.
  if (!isGenuine) return null
  return fundedIntent.facts.stray === 'true' ? orphanedPayment(intent, refundStatus) : paymentAlreadySpent(fundedIntent)
}

/**
 * Returns the refusal of a payment that funded another intent. The refusal names the intent, but keeps the intent's key
 * secret.
 */
export function paymentAlreadySpent(fundedIntent: Intent): ServiceError {
  const { idempotencyKey: _, ...facts } = factsOf(fundedIntent)
  return new ServiceError(
    409,
    'payment_already_spent',
    `This payment funds another write already (intent ${fundedIntent.id}); nothing more was charged.`,
    { detail: 'payment_used', intent: facts },
  )
}

/** The request that presented a signed payment authorization. */
export interface Presented {
  head: ChainHead
  intent: IntentFacts
  operation: Operation
}

/**
 * Returns the refusal of a valid authorization whose nonce is used on chain and which funds no known intent. If the
 * money must be refunded, the function records the refund first.
 * @returns null if the service owes no refund (for example because the payer cancelled the authorization), or if the
 * service cannot yet prove that a refund is owed
 */
export async function explainUsedPayment(
  deps: WriteDeps,
  payment: PaymentAuthorization,
  { head, intent, operation }: Presented,
): Promise<ServiceError | null> {
  // A concurrent request with the same payment may be on chain by now.
  await refuseSpentPayment(deps, payment, intent)
  const fromBlock = head.number > ORPHAN_SEARCH_BLOCKS ? head.number - ORPHAN_SEARCH_BLOCKS : 0n
  const { use } = await findAuthorizationUse(deps, payment, { fromBlock })
  if (use === 'spent_on_call') return spentElsewhere(intent)
  if (refundOwed(use, { canStillAct: false, isBound: isBound(payment) }) !== 'refund') return null
  const { usdc, forwarder } = deps.deployment
  await recordOrphanedPayment(deps.sql, { asset: usdc, forwarder, payment, operation, fromBlock })
  deps.log.warn({ payer: payment.from, nonce: payment.nonce }, 'authorization without write, refund scheduled')
  return orphanedPayment(intent, 'pending')
}

/**
 * Returns the refusal of a payment that was already spent on chain, although this database contains no call that the
 * payment funds. Possible causes: a stolen relayer key, or a restored backup.
 */
function spentElsewhere({ idempotencyKey }: IntentFacts): ServiceError {
  return new ServiceError(
    409,
    'payment_already_spent',
    'This payment was spent on chain by a write that this service has no record of; nothing more was charged. Look ' +
      'at what its transaction did before you sign a new one.',
    { detail: 'payment_unrecorded', intent: { ...(idempotencyKey !== undefined && { idempotencyKey }) } },
  )
}

/**
 * Returns the refusal of a payment whose money arrived although it funds no intent. See the interface specification,
 * "Payments".
 */
function orphanedPayment({ idempotencyKey }: IntentFacts, refundStatus: Intent['refundStatus']): ServiceError {
  const refund =
    refundStatus === 'failed'
      ? 'giving its money back to the payer did not succeed and is left to the operator of this service'
      : 'its money goes back to the payer'
  return new ServiceError(
    409,
    'payment_already_spent',
    `This authorization was settled outside this service before it funded a write; ${refund}. Sign a new one.`,
    { detail: 'payment_orphaned', intent: { ...(idempotencyKey !== undefined && { idempotencyKey }) } },
  )
}
