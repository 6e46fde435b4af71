import type { Address } from 'viem'
import { boundNonceOf } from '../../../protocol/bound-call.ts'
import { type ContractCall, type EntryMode, isBound, isForwarded, type Relay } from '../../../protocol/relay.ts'
import type { ChainHead } from '../../chain/chain.ts'
import { type CallFacts, type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import { kindOf } from '../../intents/operations.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import type { AnyWrite, CheckedSignature, PreparedCall, WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

/** A write that the rules admitted, with the values from which its call is built. */
export interface AdmittedCall {
  write: AnyWrite
  input: WriteInput
  subject: unknown
  /**
   * The relay mode. Null if the call contains the signature of the owner of the assets and is submitted without the
   * forwarder.
   */
  mode: EntryMode | null
  head: ChainHead
  signed: CheckedSignature | null
  address: Address | null
  payment: PaymentAuthorization | null
}

/**
 * Returns the fields of an admitted write's call, as they are stored with the intent.
 * @throws when the write was admitted without the payment or signature that its mode needs
 */
export function callOf(
  deps: { writes: Pick<WriteDeps['writes'], 'nextChainIntentId'>; deployment: Pick<WriteDeps['deployment'], 'usdc'> },
  admission: AdmittedCall,
  preparedCall: PreparedCall,
) {
  const { write, payment } = admission
  const { target, data: calldata, facts = {}, submission } = preparedCall
  const kind = kindOf(write.operation)
  const fields = {
    chainIntentId: deps.writes.nextChainIntentId(),
    initiator: admission.address,
    target,
    calldata,
    facts,
    boundAtBlock: admission.head.number,
  }
  if (isForwarded(kind)) {
    const escrowAmount = escrowOf(admission)
    const paymentAsset = payment === null ? null : deps.deployment.usdc
    return { ...fields, kind, relay: toRelay(admission), escrowAmount, paymentAsset }
  }
  if (submission === undefined) throw new Error(`${write.operation} was prepared without what its owner signed`)
  // It funds one intent of a wallet and contract.
  return { ...fields, kind, submission, paymentAsset: target }
}

function escrowOf({ write, subject, input, mode }: AdmittedCall): bigint {
  return mode === 'paid' ? write.charge(subject, input).escrow : 0n
}

/**
 * Checks that the nonce of a bound payment commits to the call that the service built.
 * @returns the refusal if the payment commits to a different call; null if the payment commits to this call, if the
 * payment is not bound to a call, or if the request has no payment
 */
export function findOtherCall(
  { deployment }: Pick<WriteDeps, 'deployment'>,
  admission: AdmittedCall,
  { prepared: { target, data, hintFacts }, intent }: { prepared: PreparedCall; intent: IntentFacts },
): ServiceError | null {
  const { payment } = admission
  if (payment === null || !isBound(payment)) return null
  const call = { target, data, escrowAmount: escrowOf(admission) }
  if (boundNonceOf(call, { ...deployment, salt: payment.salt }) === payment.nonce) return null
  return factsChanged(call, { facts: hintFacts?.() ?? {}, intent })
}

/**
 * Returns the relay mode of a forwarded call, and the payment or signature by which the actor authorized the call. An
 * open call needs no authorization.
 * @throws when the request was admitted without the payment or signature that the mode needs
 */
function toRelay({ write, mode, payment, signed }: AdmittedCall): Relay {
  if (mode === 'open') return { mode }
  if (mode === 'paid' && payment !== null) return isBound(payment) ? { mode: 'bound', payment } : { mode, payment }
  if (mode === 'signed' && signed !== null) return { mode, ...signed }
  throw new Error(`${write.operation} was admitted without a proof of its actor`)
}

/**
 * Returns the refusal of a bound payment that does not commit to the call that the service built. The refusal contains
 * the facts from which the service built the call. These facts are only hints: the caller must read the facts again
 * before signing (interface specification, "Bound payments").
 */
function factsChanged(
  { escrowAmount }: Pick<ContractCall, 'escrowAmount'>,
  { facts, intent }: { facts: CallFacts['facts']; intent: IntentFacts },
): ServiceError {
  const names = Object.keys(facts)
  const source = names.length === 0 ? 'of the request alone' : `of the request and of ${names.join(', ')}`
  return new ServiceError(
    409,
    'payment_preflight_rejected',
    `This bound payment is for another call than the one of this request, which is made ${source}. Nothing was charged. Read ` +
      'the facts again, and sign the call that they make.',
    { detail: 'facts_changed', callFacts: { facts, escrowAmount: escrowAmount.toString() }, intent },
  )
}
