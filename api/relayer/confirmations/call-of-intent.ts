import { getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { Relay } from '../../../protocol/relay.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import type { BoundIntent, ForwardedIntent } from '../../intents/intent.ts'
import { transactionOfIntent } from '../../intents/relayed-call.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { matchesIntent, type RelayedFacts } from './matches-intent.ts'

/**
 * Returns true if a relayed call is this intent's own, to its last byte. The forwarder's event names neither the
 * receiver of a call nor its arguments. So a holder of a relayer's key could act with this payment, under this number
 * and function, and yet differ. A bound payment names both: a relay of it is another's only when the payer also signed
 * a plain payment of the same nonce.
 * @param signed transactions of the intent's own, whose bytes are known
 * @throws ChainUnavailable when the node does not show the transaction
 */
export async function isCallOfIntent(
  { chain, deployment }: Pick<RelayerDeps, 'chain' | 'deployment'>,
  intent: BoundIntent,
  { relayed, signed = [] }: { relayed: RelayedFacts & { transactionHash: Hex }; signed?: readonly Hex[] },
): Promise<boolean> {
  if (!('relay' in intent) || !matchesIntent(intent, relayed)) return false
  const { transactionHash: hash } = relayed
  if (signed.includes(hash)) return true
  const sent = await chain.getTransaction(hash)
  if (sent === null)
    throw new ChainUnavailable(`intent ${intent.id} was relayed by ${hash}, which the node does not show`)
  if (intent.relay.mode === 'bound') return !(sent.to === deployment.forwarder && isPlainRelay(sent.data))
  return listRelays(intent).some((relay) => {
    const { to, data } = transactionOfIntent({ ...intent, relay }, deployment)
    return sent.to === to && sent.data === data
  })
}

const plainRelays = (['relayPaid', 'relayPrepaid'] as const).map((name) =>
  toFunctionSelector(getAbiItem({ abi: paymentForwarderAbi, name })),
)

function isPlainRelay(data: Hex): boolean {
  return plainRelays.some((selector) => data.startsWith(selector))
}

/** Lists the possible relays: a plain payment may have reached the forwarder before its call. */
function listRelays({ relay }: ForwardedIntent): Relay[] {
  if (relay.mode !== 'paid' && relay.mode !== 'prepaid') return [relay]
  return [
    { ...relay, mode: 'paid' },
    { ...relay, mode: 'prepaid' },
  ]
}
