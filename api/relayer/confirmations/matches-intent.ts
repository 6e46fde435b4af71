import { type Hex, zeroAddress, zeroHash } from 'viem'
import type { ForwardedIntent } from '../../intents/intent.ts'
import { paymentOf } from '../../intents/relayed-call.ts'

/** The arguments of the forwarder's event of a relayed call (`IntentRelayed`). */
export interface RelayedFacts {
  intentId?: Hex
  actor?: Hex
  selector?: Hex
  paymentNonce?: Hex
}

/**
 * Returns true if a relayed call is this intent's own. Its number alone proves nothing: numbers are consecutive, so an
 * account with a relayer key could use one first, with another call, actor or payment. A bound payment names its call,
 * so a relay of it is the intent's own under any number (Interface, "Bound payments").
 */
export function matchesIntent(
  intent: Pick<ForwardedIntent, 'kind' | 'chainIntentId' | 'initiator' | 'calldata' | 'relay'>,
  relayed: RelayedFacts,
): boolean {
  const actor = intent.relay.mode === 'open' ? zeroAddress : (intent.initiator ?? zeroAddress)
  return (
    (intent.relay.mode === 'bound' || isSame(relayed.intentId, intent.chainIntentId)) &&
    isSame(relayed.actor, actor) &&
    isSame(relayed.selector, intent.calldata.slice(0, 10)) &&
    isSame(relayed.paymentNonce, paymentOf(intent)?.nonce ?? zeroHash)
  )
}

function isSame(logged: string | undefined, expected: string): boolean {
  return logged?.toLowerCase() === expected.toLowerCase()
}
