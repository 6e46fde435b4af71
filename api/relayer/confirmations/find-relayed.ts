import type { Hex } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { type BoundPayment, isBound } from '../../../protocol/relay.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import { intentRelayedOf, parseRelays } from '../../chain/forwarder-events.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import { findRefund, isSpentInForwarder } from '../../payments/spent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import type { BlockSnapshot } from './block-snapshot.ts'
import { isCallOfIntent } from './call-of-intent.ts'

type Place = Pick<BlockSnapshot, 'blockNumber'>

/**
 * Returns the transaction in which the forwarder relayed this intent's call. Returns null if the call was not relayed,
 * or if the intent's id was used for a different call. If the payment is bound, the transaction is found by the
 * payment's nonce, and may contain another intent id.
 * @throws ChainUnavailable when the forwarder reports the intent as relayed, but the node does not return the event
 */
export async function findRelayed(
  deps: RelayerDeps,
  intent: BoundIntent,
  place: Place,
): Promise<{ hash: Hex; blockNumber: bigint } | null> {
  const payment = paymentOf(intent)
  const relays =
    payment !== null && isBound(payment)
      ? await listRelaysOfPayment(deps, intent, { payment, place })
      : await listRelaysOfId(deps, intent, place)
  for (const { args, transactionHash, blockNumber } of relays) {
    const isOwn = await isCallOfIntent(deps, intent, { relayed: { ...args, transactionHash } })
    if (isOwn) return { hash: transactionHash, blockNumber }
  }
  return null
}

type Relays = ReturnType<typeof parseRelays>

async function listRelaysOfId(deps: RelayerDeps, intent: BoundIntent, { blockNumber }: Place): Promise<Relays> {
  const { chain, deployment } = deps
  const isRelayed = await chain.readContract({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayed',
    args: [intent.chainIntentId],
    blockNumber,
  })
  if (!isRelayed) return []
  const relays = await listRelays(deps, intent, { intentId: intent.chainIntentId })
  if (relays.length === 0) throw notShown(intent)
  return relays
}

async function listRelaysOfPayment(
  deps: RelayerDeps,
  intent: BoundIntent,
  { payment, place: { blockNumber } }: { payment: BoundPayment; place: Place },
): Promise<Relays> {
  if (!(await isSpentInForwarder(deps, payment, { blockNumber }))) return []
  const relaysOfPayer = await listRelays(deps, intent, { actor: payment.from })
  const relays = relaysOfPayer.filter(({ args }) => args.paymentNonce === payment.nonce)
  const isRefunded =
    relays.length === 0 && (await findRefund(deps, payment, { fromBlock: fromBlockOf(intent) })) !== null
  if (relays.length === 0 && !isRefunded) throw notShown(intent)
  return relays
}

async function listRelays(
  { chain, deployment }: RelayerDeps,
  intent: BoundIntent,
  args: { intentId: Hex } | { actor: Hex },
): Promise<Relays> {
  const logs = await chain.getLogs({
    address: deployment.forwarder,
    event: intentRelayedOf(deployment),
    args,
    fromBlock: fromBlockOf(intent),
  })
  return parseRelays(logs)
}

function notShown({ id }: BoundIntent): ChainUnavailable {
  return new ChainUnavailable(`intent ${id} was relayed, and the node does not show where`)
}
