import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { createLogReader } from './kept-logs.ts'
import type { MarketChain } from './market-chain.ts'

export type MarketLog = ReturnType<typeof parseEventLogs<typeof taskMarketAbi, true>>[number]

/** The data of the canonical chain's logs: read from the node, without code of the indexer. */
export interface MarketLogs {
  market: MarketLog[]
  tasks: { id: Hex; requester: Address }[]
  /** In order, with duplicates. */
  pitches: { taskId: Hex; worker: Address; pitchHash: Hex }[]
  submissions: { taskId: Hex; worker: Address; deliverable: Hex; isActive: boolean }[]
  awards: { taskId: Hex; worker: Address; isRated: boolean }[]
  /** Accounts that ever had a credit. */
  credited: Address[]
  intents: Hex[]
  refunds: { payer: Address; nonce: Hex; amount: bigint }[]
  agentIds: bigint[]
  /** Events of market and forwarder without a task, in order. */
  others: string[]
}

/** All logs since the deployment. */
export async function readMarketLogs(chain: MarketChain): Promise<MarketLogs> {
  const ranges = await readRanges(chain)
  const marketLogs = ranges.flatMap(({ market }) => market)
  const forwarderLogs = ranges.flatMap(({ forwarder }) => forwarder)
  const identityLogs = ranges.flatMap(({ identities }) => identities)
  return {
    ...foldMarketLogs(marketLogs),
    intents: forwarderLogs.flatMap((log) => (log.eventName === 'IntentRelayed' ? [log.args.intentId] : [])),
    refunds: forwarderLogs.flatMap((log) => (log.eventName === 'PrepaidRefunded' ? [log.args] : [])),
    agentIds: identityLogs.flatMap((log) => (log.eventName === 'Registered' ? [log.args.agentId] : [])),
    others: [...marketLogs, ...forwarderLogs]
      .filter((log) => !('taskId' in log.args))
      .filter((log) => log.eventName !== 'PaymentGatedCall' && log.eventName !== 'IntentRelayed')
      .sort(byPosition)
      .map((log) => log.eventName),
  }
}

/** The data of the market's logs, without those of other contracts. */
export function foldMarketLogs(logs: MarketLog[]) {
  const folded: Pick<MarketLogs, 'market' | 'tasks' | 'pitches' | 'submissions' | 'awards' | 'credited'> = {
    market: logs,
    tasks: [],
    pitches: [],
    submissions: [],
    awards: [],
    credited: [],
  }
  for (const log of logs) {
    if (log.eventName === 'TaskCreated') {
      folded.tasks.push({ id: log.args.taskId, requester: log.args.requester })
    }
    if (log.eventName === 'PitchSubmitted') folded.pitches.push(log.args)
    if (log.eventName === 'TaskSubmitted') folded.submissions.push({ ...log.args, isActive: true })
    if (log.eventName === 'SubmissionRejected') {
      for (const submission of folded.submissions) {
        if (submission.taskId === log.args.taskId && submission.worker === log.args.worker) submission.isActive = false
      }
    }
    if (log.eventName === 'TaskCompleted') folded.awards.push({ ...log.args, isRated: false })
    if (log.eventName === 'TaskRated') {
      for (const award of folded.awards) {
        if (award.taskId === log.args.taskId && award.worker === log.args.worker) award.isRated = true
      }
    }
    if (log.eventName === 'PayoutDeferred' && !folded.credited.includes(log.args.account)) {
      folded.credited.push(log.args.account)
    }
  }
  return folded
}

/** The logs of each range of blocks that was read, by their contract. */
const readRanges = createLogReader(async ({ client, deployment }, range) => {
  const { market, forwarder, identityRegistry } = deployment
  const logs = await client.getLogs({ address: [market, forwarder, identityRegistry], ...range })
  const of = (address: Address) => logs.filter((log) => log.address === address.toLowerCase())
  return [
    {
      market: parseEventLogs({ abi: taskMarketAbi, logs: of(market) }),
      forwarder: parseEventLogs({ abi: paymentForwarderAbi, logs: of(forwarder) }),
      identities: parseEventLogs({ abi: identityRegistryAbi, logs: of(identityRegistry) }),
    },
  ]
})

function byPosition(a: Log<bigint, number, false>, b: Log<bigint, number, false>): number {
  return a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : Number(a.blockNumber - b.blockNumber)
}
