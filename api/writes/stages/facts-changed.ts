import type { ContractCall } from '../../../protocol/relay.ts'
import { type CallFacts, type IntentFacts, ServiceError } from '../../errors/service-error.ts'

/**
 * The refusal of a bound payment whose nonce names another call. The facts are hints: the caller reads them again before it
 * signs (Interface, "Bound payments").
 */
export function factsChanged(
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
