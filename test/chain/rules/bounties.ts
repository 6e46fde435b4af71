import { type Address, type Hex, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { toModeSelector } from '../../../protocol/rules/selectors.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import type { MarketChain } from '../indexer/market-chain.ts'

/** Creates tasks of any mode in one block. */
export async function createTasks(
  chain: MarketChain,
  tasks: readonly { requester: Address; terms: Creation }[],
): Promise<{ id: Hex; requester: Address }[]> {
  for (const { requester, terms } of tasks) await send(chain, requester, 'createTask', [terms])
  const blockNumber = await chain.mine()
  const logs = await chain.client.getLogs({
    address: chain.deployment.market,
    fromBlock: blockNumber,
    toBlock: blockNumber,
  })
  const created = parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCreated', logs })
  if (created.length !== tasks.length) throw new Error(`${created.length} of ${tasks.length} tasks were created`)
  return created.map(({ args }) => ({ id: args.taskId, requester: args.requester.toLowerCase() as Address }))
}

/** Sends a call of the market; it is in the next block. */
export async function send(
  { deployment, send: sendCall }: MarketChain,
  from: Address,
  ...[functionName, args]: MarketCall
): Promise<void> {
  const { target, data } = encodeMarketCall(deployment.market, functionName, args)
  await sendCall({ from, to: target, data })
}

type MarketCall = { [Name in MarketFunction]: [Name, Parameters<typeof encodeMarketCall<Name>>[2]] }[MarketFunction]
type MarketFunction = Parameters<typeof encodeMarketCall>[1]

type Creation = Parameters<typeof encodeMarketCall<'createTask'>>[2][0]

/** Terms of a bounty without hooks, evaluator or tags. */
export function aBounty(terms: { reward: bigint; duration: number }): Creation {
  return {
    mode: toModeSelector('bounty'),
    auctionType: '0x00000000',
    pitchDuration: 0,
    bidDuration: 0,
    clockPrice: 0n,
    stakeBps: 0,
    contentHash: zeroHash,
    tags: [],
    listed: true,
    evaluation: { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 },
    hooks: [],
    hookData: '0x',
    ...terms,
  }
}
