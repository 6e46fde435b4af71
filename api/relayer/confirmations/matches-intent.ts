import { type Hex, zeroAddress, zeroHash } from 'viem'
import type { ForwardedIntent } from '../../intents/intent.ts'
import { paymentOf } from '../../intents/relayed-call.ts'

/** The arguments of `IntentRelayed`, the forwarder's event for a relayed call. */
export interface RelayedFacts {
  intentId?: Hex
  actor?: Hex
  selector?: Hex
  paymentNonce?: Hex
}

/**
 * Returns true if the arguments of the event belong to this intent. The intent id is not enough, because a thief of a
 * relayer's key could use the id for a different call. If the payment is bound, the intent id is not compared at all,
 * because the payer's signature fixes the call (interface specification, "Bound payments").
 */
export function matchesIntent(
  intent: Pick<ForwardedIntent, 'kind' | 'chainIntentId' | 'initiator' | 'calldata' | 'relay'>,
  relay: RelayedFacts,
): boolean {
  const actor = intent.relay.mode === 'open' ? zeroAddress : (intent.initiator ?? zeroAddress)
  return (
    (intent.relay.mode === 'bound' || isSame(relay.intentId, intent.chainIntentId)) &&
    isSame(relay.actor, actor) &&
    isSame(relay.selector, intent.calldata.slice(0, 10)) &&
    isSame(relay.paymentNonce, paymentOf(intent)?.nonce ?? zeroHash)
  )
}

function isSame(loggedText: string | undefined, expectedText: string): boolean {
  return loggedText?.toLowerCase() === expectedText.toLowerCase()
}
