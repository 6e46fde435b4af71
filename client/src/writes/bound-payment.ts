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

/** The most calls that one run signs under a key, the first one included. */
export const MOST_CALLS = 3

/** What a payment of a run names: the request alone, or its call as well. */
export interface PaymentPlan {
  nonce: Hex
  /** The hash of the request, of a bound payment. */
  salt?: Hex
  /** Null: the deployment takes no bound payments. */
  call: ContractCall | null
}

/** The part of a run from which its call is made. */
type CallRun = Pick<Run, 'spec' | 'normalised' | 'task'> & { context: CallSource }

/**
 * Makes the nonce of the payment of a run, by facts that are read for it. The deployment of the client alone decides its form.
 * @throws Refused when the call cannot be made, or its escrow is more than the payment
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

/** Encodes the call of a run whose request is complete. @throws Refused */
export function encodeRun({ context, spec, normalised: input, task }: CallRun): Promise<ContractCall> {
  return encodeWrite(context, spec.operation, { input, task })
}

/**
 * Shows the call to the one who decided the write, where it is another one than they have seen, or than the one that was signed
 * before under the key. Null: it may be signed.
 */
export async function findDisagreement(run: Run, { call, nonce }: PaymentPlan): Promise<Refusal | null> {
  if (call === null) return null
  if (nonce === run.changed?.nonce) return run.changed.refusal
  const isSecond = paymentsOf(run.entry).some((payment) => payment.nonce !== nonce)
  return await agreeTo(run, call, { isSecond })
}

/** The same of any call that is signed for. `isSecond`: another one was signed before. */
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

/** Says whether the service makes another call of the request than the bound payment names, by its own word. */
export function isFactsChanged(judgement: Judgement): judgement is Extract<Judgement, { kind: 'refused' }> {
  return judgement.kind === 'refused' && judgement.refusal.detail === 'facts_changed'
}
