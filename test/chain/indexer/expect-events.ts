import { parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { appendEvents, RETENTION_SECONDS } from '../../../api/events/append-events.ts'
import type { StoredEvent } from '../../../api/events/read-events.queries.ts'
import { toEvent } from '../../../api/events/render-event.ts'
import { eventOut } from '../../../api/features/events/events.schemas.ts'
import type { Subject } from './expectation.ts'
import type { MarketLog } from './market-logs.ts'

/** The kinds of entries that an event of the market makes. */
const kindsOf: Partial<Record<MarketLog['eventName'], (args: Args) => string[]>> = {
  TaskCreated: () => ['task.created'],
  TaskUpdated: () => ['task.updated'],
  TaskExpired: () => ['task.expired'],
  TaskCancelled: () => ['task.cancelled'],
  TaskCompleted: ({ rank }) => (rank === 1 ? ['task.completed', 'award.settled'] : ['award.settled']),
  TaskWorkerSelected: ({ kind }) =>
    ['claim.created', 'worker.selected', 'auction.accepted', 'auction.accepted'].slice(Number(kind)).slice(0, 1),
  TaskReopened: () => ['claim.forfeited'],
  PitchSubmitted: () => ['pitch.created'],
  BidSubmitted: () => ['bid.created'],
  TaskSubmitted: () => ['submission.created'],
  SubmissionRejected: () => ['submission.rejected'],
  ProofSubmitted: () => ['proof.created'],
  VerdictIssued: () => ['verdict.issued'],
  VerdictAppealed: () => ['verdict.appealed'],
  DisputeResolved: () => ['verdict.resolved'],
  VerdictFinalized: () => ['verdict.finalized'],
  EvaluatorAssigned: () => ['evaluator.assigned'],
  EvaluatorTimedOut: () => ['evaluator.timed_out'],
  DeliveryObjected: () => ['delivery.objected'],
  TaskRated: () => ['rating.created'],
}

/** The amounts that a kind says, by the names of the event's arguments. */
const amountsOf: Record<string, string[]> = {
  'task.created': ['reward'],
  'task.updated': ['reward'],
  'task.expired': ['refund'],
  'task.cancelled': ['refund'],
  'award.settled': ['grossAmount', 'workerPayment', 'platformFee'],
  'claim.created': ['price', 'stake'],
  'worker.selected': ['price', 'stake'],
  'auction.accepted': ['price', 'stake'],
  'bid.created': ['price'],
  'proof.created': ['metricValue'],
  'verdict.finalized': ['refund'],
}

type Args = Readonly<Record<string, unknown>>

/**
 * The log of changes against the chain's: the entries that no reorg took back are those of the market's logs, in their order,
 * with their places and amounts, and fit their schema.
 */
export async function expectEventsEqual(url: string, { logs, chain }: Pick<Subject, 'logs' | 'chain'>): Promise<void> {
  const sql = connectDatabase({ url, max: 2 })
  try {
    while ((await appendEvents({ sql })) === 0);
    const rows = await sql<StoredEvent[]>`
      select * from service.events where not is_reverted and source is not null order by block_number, log_index, sequence`
    const events = rows.map((row) => eventOut.parse(JSON.parse(JSON.stringify(toEvent(row, '0'.repeat(12))))))
    const ofTasks = events.filter(({ kind }) => !/^(bonus|vault|settlement|reward|agent)[.]/.test(kind))
    const [head] = await sql<{ time: bigint }[]>`select block_timestamp as time from indexed_head`
    const oldest = (head?.time ?? 0n) - RETENTION_SECONDS
    const kept = logs.market.filter(({ blockTimestamp }) => (blockTimestamp ?? 0n) >= oldest)
    const expected = kept.flatMap((log) => {
      const args = log.args as Args
      const { blockNumber, transactionHash: txHash } = log
      return (kindsOf[log.eventName]?.(args) ?? []).map((kind) => {
        const said = { ...(args.terms as Args | undefined), ...args }
        return { kind, block: Number(blockNumber), txHash, taskId: args.taskId, amounts: amountsIn(kind, said) }
      })
    })
    const told = ofTasks.map(({ kind, block, txHash, taskId, data }) => {
      return { kind, block: block.number, txHash, taskId, amounts: amountsIn(kind, data) }
    })
    expect(told).toEqual(expected)
    const registered = events.flatMap((event) => (event.kind === 'agent.registered' ? [event.data] : []))
    expect(registered).toEqual(await listRegistrations(chain, oldest))
  } finally {
    await sql.end()
  }
}

function amountsIn(kind: string, args: Args): string[] {
  return (amountsOf[kind] ?? []).map((name) => String(args[name]))
}

/** The identities of the registry's logs, each with the account that it was registered for, directly or by the registrar. */
async function listRegistrations({ client, deployment }: Subject['chain'], oldest: bigint) {
  const { identityRegistry, identityRegistrar, startBlock } = deployment
  const logs = await client.getLogs({ address: [identityRegistry, identityRegistrar], fromBlock: BigInt(startBlock) })
  const registered = parseEventLogs({ abi: [...identityRegistryAbi, ...identityRegistrarAbi], logs })
  const actors = new Map(
    registered.flatMap(({ eventName, args }) => (eventName === 'AgentRegistered' ? [[args.agentId, args.actor]] : [])),
  )
  return registered.flatMap(({ eventName, args, blockTimestamp }) =>
    eventName === 'Registered' && (blockTimestamp ?? 0n) >= oldest
      ? [{ agentId: String(args.agentId), owner: actors.get(args.agentId) ?? args.owner }]
      : [],
  )
}
