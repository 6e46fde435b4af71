import { type AbiEvent, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import type { BlockSnapshot } from './block-snapshot.ts'
import { isCallOfIntent } from './call-of-intent.ts'

const intentRelayed = getAbiItem({ abi: paymentForwarderAbi, name: 'IntentRelayed' }) as AbiEvent

/**
 * The transaction in which the forwarder relayed this intent; null when it did not, or relayed another call under its
 * number.
 * @throws ChainUnavailable when the node reports it as relayed and does not show where
 */
export async function findRelayed(
  deps: RelayerDeps,
  intent: BoundIntent,
  { blockNumber }: BlockSnapshot,
): Promise<{ hash: Hex; blockNumber: bigint } | null> {
  const { chain, deployment } = deps
  const isRelayed = await chain.readContract({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayed',
    args: [intent.chainIntentId],
    blockNumber,
  })
  if (!isRelayed) return null
  const logs = await chain.getLogs({
    address: deployment.forwarder,
    event: intentRelayed,
    args: { intentId: intent.chainIntentId },
    fromBlock: fromBlockOf(intent),
  })
  if (logs.length === 0) {
    throw new ChainUnavailable(`intent ${intent.id} was relayed, and the node does not show where`)
  }
  const relayed = parseEventLogs({ abi: paymentForwarderAbi, eventName: 'IntentRelayed', logs: [...logs] })
  for (const { args, transactionHash, blockNumber: minedIn } of relayed) {
    const isOwn = await isCallOfIntent(deps, intent, { relayed: { ...args, transactionHash } })
    if (isOwn) return { hash: transactionHash, blockNumber: minedIn }
  }
  return null
}
