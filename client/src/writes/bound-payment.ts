import type { Hex } from 'viem'
import { boundNonceOf } from '../../../protocol/bound-call.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import { boundNonce } from '../payments/payment-text.ts'
import { paymentsOf } from '../store/ledger.ts'
import { type CallSource, encodeWrite } from './encode-write.ts'
import type { Judgement } from './judge.ts'
import type { Refusal } from './outcome.ts'
import type { Run } from './run.ts'
import { Refused } from './write-spec.ts'

/**
 * The maximum number of different contract calls that a run signs for one write. The run signs another call only if the
 * service refused the previous call because of changed facts.
 */
export const MOST_CALLS = 3

/**
 * The nonce of a payment, and the facts from which the nonce was computed. The nonce is computed from the hash of the
 * request. If the deployment accepts bound payments, the contract call is part of the computation too.
 */
export interface PaymentPlan {
  nonce: Hex
  /** The hash of the request; only for bound payments. */
  salt?: Hex
  /** The contract call to which the payment is bound; null at a deployment that does not accept bound payments. */
  call: ContractCall | null
}

/** The parts of a run that determine its contract call. */
type CallRun = Pick<Run, 'spec' | 'normalised' | 'task'> & { context: CallSource }

/**
 * Computes the nonce of a run's payment from facts that the client reads itself. The client's deployment file
 * determines whether the payment is bound.
 * @throws Refused when the contract call cannot be encoded, or when the call's escrow amount exceeds the payment
 */
export async function planPayment(
  run: CallRun & Pick<Run, 'path' | 'key' | 'bodySha256'>,
  value: bigint,
): Promise<PaymentPlan> {
  const { context, path, key, bodySha256 } = run
  const { deployment } = context
  const salt = boundNonce(deployment, { method: 'POST', path, key, bodySha256 })
  if (deployment.bound !== true) return { nonce: salt, call: null }
  const call = await encodeRun(run)
  if (call.escrowAmount > value) {
    throw new Refused(
      'wrong_price',
      `The service asks ${value} base units, and the escrow is ${call.escrowAmount}. Nothing was signed.`,
    )
  }
  return { nonce: boundNonceOf(call, { ...deployment, salt }), salt, call }
}

/**
 * Encodes the contract call of a run whose request is complete.
 * @throws Refused
 */
export function encodeRun({ context, spec, normalised: input, task }: CallRun): Promise<ContractCall> {
  return encodeWrite(context, spec.operation, { input, task })
}

/**
 * Returns null if the planned contract call may be signed, else a refusal. If the service has just refused the same
 * call, returns the service's refusal and does not ask the user. Otherwise asks the user as `agreeTo` does.
 */
export async function findDisagreement(run: Run, { call, nonce }: PaymentPlan): Promise<Refusal | null> {
  if (call === null) return null
  if (nonce === run.changed?.nonce) return run.changed.refusal
  const isSecond = paymentsOf(run.entry).some((payment) => payment.nonce !== nonce)
  return await agreeTo(run, call, { isSecond })
}

/**
 * Asks the user whether the contract call may be signed, in two cases. In the first case, the user agreed to an earlier
 * call, and `call` differs from that call. In the second case, the user has agreed to no call, and `isSecond` is true.
 * In all other cases the call may be signed without a question. Returns null if the call may be signed, else the
 * refusal.
 * @param options `isSecond` is true if the wallet has already signed another call under the same idempotency key
 */
export async function agreeTo(
  run: Run,
  call: ContractCall,
  { isSecond = false }: { isSecond?: boolean } = {},
): Promise<Refusal | null> {
  const { agreed, decideAgain } = run
  if (agreed === null ? !isSecond : isSameCall(agreed.call, call)) return null
  const head = 'The facts of this write have changed, and so has its call.'
  if (decideAgain === null) {
    const message = `${head} The new one needs a decision: make a dry run, and decide again.`
    return { reason: 'facts_changed', message, status: null }
  }
  if (!(await decideAgain(call))) {
    return { reason: 'facts_changed', message: `${head} The new one was not agreed to.`, status: null }
  }
  run.agreed = { call }
  return null
}

function isSameCall(one: ContractCall | null, other: ContractCall): boolean {
  if (one === null) return false
  return one.target === other.target && one.data === other.data && one.escrowAmount === other.escrowAmount
}

/**
 * Returns true if the service refused the payment because the facts have changed: the contract call that the service
 * would make differs from the call in the payment.
 */
export function isFactsChanged(judgement: Judgement): judgement is Extract<Judgement, { kind: 'refused' }> {
  return judgement.kind === 'refused' && judgement.refusal.detail === 'facts_changed'
}
