import { getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { Relay } from '../../../protocol/relay.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import type { BoundIntent, ForwardedIntent } from '../../intents/intent.ts'
import { transactionOfIntent } from '../../intents/relayed-call.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { matchesIntent, type RelayedFacts } from './matches-intent.ts'

/**
 * Returns true if a call that the forwarder relayed is exactly the call of this intent. The forwarder's event does not
 * contain the target and arguments of the call, so the bytes of the transaction are compared. If `signed` contains the
 * transaction, no comparison is needed. If the payment is bound, the payer's signature covers the target and arguments.
 * It is then enough that the transaction is not a plain relay (`relayPaid` or `relayPrepaid`).
 * @param signed the hashes of transactions that this service signed for the intent
 * @throws ChainUnavailable when the node does not return the transaction
 */
export async function isCallOfIntent(
  { chain, deployment }: Pick<RelayerDeps, 'chain' | 'deployment'>,
  intent: BoundIntent,
  { relayed, signed = [] }: { relayed: RelayedFacts & { transactionHash: Hex }; signed?: readonly Hex[] },
): Promise<boolean> {
  if (!('relay' in intent) || !matchesIntent(intent, relayed)) return false
  const { transactionHash: hash } = relayed
  if (signed.includes(hash)) return true
  const transaction = await chain.getTransaction(hash)
  if (transaction === null)
    throw new ChainUnavailable(`intent ${intent.id} was relayed by ${hash}, which the node does not show`)
  if (intent.relay.mode === 'bound') return !(transaction.to === deployment.forwarder && isPlainRelay(transaction.data))
  return listRelays(intent).some((relay) => {
    const { to, data } = transactionOfIntent({ ...intent, relay }, deployment)
    return transaction.to === to && transaction.data === data
  })
}

const plainRelays = (['relayPaid', 'relayPrepaid'] as const).map((name) =>
  toFunctionSelector(getAbiItem({ abi: paymentForwarderAbi, name })),
)

function isPlainRelay(data: Hex): boolean {
  return plainRelays.some((selector) => data.startsWith(selector))
}

/**
 * Lists the forms in which the forwarder may have relayed the intent's call. A plain payment has two forms: `paid`, and
 * `prepaid` if the money reached the forwarder before the call.
 */
function listRelays({ relay }: ForwardedIntent): Relay[] {
  if (relay.mode !== 'paid' && relay.mode !== 'prepaid') return [relay]
  return [
    { ...relay, mode: 'paid' },
    { ...relay, mode: 'prepaid' },
  ]
}
