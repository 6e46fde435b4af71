import { type AbiEvent, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { searchFrom } from '../../intents/search-from.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import type { ChainView } from './chain-view.ts'
import { isOwnCall } from './own-call.ts'

const intentRelayed = getAbiItem({ abi: paymentForwarderAbi, name: 'IntentRelayed' }) as AbiEvent

/**
 * The transaction in which the forwarder relayed this intent; null when it did not, or relayed another call under its
 * number.
 * @throws ChainUnavailable when the node says that it was relayed and does not show where
 */
export async function findRelayed(
  deps: RelayerDeps,
  intent: BoundIntent,
  { blockNumber }: ChainView,
): Promise<{ hash: Hex; blockNumber: bigint } | null> {
  const { chain, deployment } = deps
  const isRelayed = await chain.read({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayed',
    args: [intent.chainIntentId],
    blockNumber,
  })
  if (!isRelayed) return null
  const logs = await chain.logs({
    address: deployment.forwarder,
    event: intentRelayed,
    args: { intentId: intent.chainIntentId },
    fromBlock: searchFrom(intent),
  })
  if (logs.length === 0) {
    throw new ChainUnavailable(`intent ${intent.id} was relayed, and the node does not show where`)
  }
  const relayed = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'IntentRelayed', logs: [...logs] })
  for (const { args, transactionHash, blockNumber: minedIn } of relayed) {
    const isOwn = await isOwnCall(deps, intent, { relayed: { ...args, transactionHash } })
    if (isOwn) return { hash: transactionHash, blockNumber: minedIn }
  }
  return null
}
