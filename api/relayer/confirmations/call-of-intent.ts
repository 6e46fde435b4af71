import type { Hex } from 'viem'
import { ChainUnavailable } from '../../chain/chain.ts'
import { encodeRelay } from '../../intents/encode-relay.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import type { ForwardedLeg, RelayLeg } from '../../intents/relay-mode.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { matchesIntent, type RelayedFacts } from './matches-intent.ts'

/**
 * Whether a relayed call is this intent's own, to its last byte. The forwarder's event names neither the receiver of a
 * call nor its arguments: a holder of a relayer's key could act with this payment, under this number, by the same
 * function, and yet do something else.
 * @param signed transactions of the intent's own; their bytes need not be asked for
 * @throws ChainUnavailable when the node does not show the transaction
 */
export async function isCallOfIntent(
  { chain, deployment }: Pick<RelayerDeps, 'chain' | 'deployment'>,
  intent: BoundIntent,
  { relayed, signed = [] }: { relayed: RelayedFacts & { transactionHash: Hex }; signed?: readonly Hex[] },
): Promise<boolean> {
  if (!matchesIntent(intent, relayed)) return false
  const { transactionHash: hash } = relayed
  if (signed.includes(hash)) return true
  const sent = await chain.getTransaction(hash)
  if (sent === null)
    throw new ChainUnavailable(`intent ${intent.id} was relayed by ${hash}, which the node does not show`)
  return sent.to === deployment.forwarder && callsOf(intent, intent.leg).includes(sent.data)
}

/** A payment may have reached the forwarder before its call. */
function callsOf(intent: BoundIntent, leg: RelayLeg): Hex[] {
  if (leg === 'transfer') return []
  const legs: ForwardedLeg[] = intent.payment === null ? [leg] : ['paid', 'prepaid']
  return legs.map((leg) => encodeRelay({ ...intent, leg }))
}
