import { getContract } from 'viem'
import { expect } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { toModeSelector } from '../../../protocol/rules/selectors.ts'
import { logsOf, lower, type Subject } from './expectation.ts'
import { actorAddresses } from './market-calls.ts'
import { readMarket } from './task-states.ts'

/** Liabilities, credits, nonces and settings against the market's views. */
export async function expectMarketEqual({ sql, chain, logs }: Subject): Promise<void> {
  const { read } = getContract({ address: chain.deployment.market, abi: taskMarketAbi, client: chain.client })
  const [stats] = await sql`SELECT * FROM market.market_stats`
  expect(BigInt(stats?.total_escrow)).toBe(await read.totalEscrow())
  const [config] = await sql`SELECT * FROM market.market_config`
  expect(config).toMatchObject({
    fee_bps: await read.feeBps(),
    fee_recipient: lower(await read.feeRecipient()),
    identity_registry: lower(await read.identityRegistry()),
    reputation_registry: lower(await read.reputationRegistry()),
    default_hooks: (await read.defaultHooks()).map(lower),
    paused: await read.paused(),
  })

  const accounts = logs.credited.map((account) => [account] as const)
  const credits = await readMarket(chain, 'creditOf', accounts)
  const creditRows = await sql`SELECT account, amount FROM market.credit ORDER BY account`
  expect(creditRows.map((row) => [row.account, BigInt(row.amount)])).toEqual(
    logs.credited.map((account, index) => [lower(account), credits[index]] as const).sort(byFirst),
  )

  const actors = actorAddresses.map((account) => [account] as const)
  const nonces = await readMarket(chain, 'nonceOf', actors)
  const agents = await sql`SELECT address, tasks_created FROM market.agent`
  const created = new Map(agents.map((row) => [row.address, BigInt(row.tasks_created)]))
  expect(actorAddresses.map((account) => created.get(lower(account)) ?? 0n)).toEqual(nonces)
}

/** Every relayed intent is consumed on chain, every refund spent; and no row without its log. */
export async function expectRelaysEqual({ sql, chain, logs }: Subject): Promise<void> {
  const forwarder = { abi: paymentForwarderAbi, address: chain.deployment.forwarder } as const
  const consumed = await Promise.all(
    logs.intents.map((intentId) =>
      chain.client.readContract({ ...forwarder, functionName: 'relayed', args: [intentId] }),
    ),
  )
  expect(consumed.every(Boolean)).toBe(true)
  const intents = await sql`SELECT intent_id FROM market.relayed_intent ORDER BY block_number, log_index`
  expect(intents.map((row) => row.intent_id)).toEqual(logs.intents)
  const refunds = await sql`SELECT payer, nonce, amount FROM market.prepaid_refund ORDER BY block_number, log_index`
  expect(refunds.map((row) => [row.payer, row.nonce, BigInt(row.amount)])).toEqual(
    logs.refunds.map(({ payer, nonce, amount }) => [lower(payer), nonce, amount]),
  )
}

/** Counters against the counted rows. */
export async function expectCountersEqual({ sql, logs }: Subject): Promise<void> {
  await expectRecordsEqual({ sql, logs })
  const stats = await sql`
    SELECT task_count, total_rewards::text, listed_task_count, listed_total_rewards::text, total_escrow::text,
           total_worker_payments::text, total_platform_fees::text, last_created_at_ms::text
    FROM market.market_stats`
  const counted = await sql`
    SELECT count(*)::int AS task_count, coalesce(sum(reward), 0)::text AS total_rewards,
           count(*) FILTER (WHERE listed)::int AS listed_task_count,
           coalesce(sum(reward) FILTER (WHERE listed), 0)::text AS listed_total_rewards,
           (coalesce(sum(escrow + stake), 0) + (SELECT coalesce(sum(amount), 0) FROM market.credit))::text AS total_escrow,
           (SELECT coalesce(sum(worker_payment), 0)::text FROM market.award) AS total_worker_payments,
           (SELECT coalesce(sum(platform_fee), 0)::text FROM market.award) AS total_platform_fees,
           coalesce(max(created_at_ms), 0)::text AS last_created_at_ms
    FROM market.task`
  expect([...stats]).toEqual([...counted])

  const agents = await sql`
    SELECT address, completed_tasks, distinct_requesters, rated_tasks, rated_volume::text, total_stars,
           total_earnings::text, tasks_created,
           self_awards, submission_attempts, unique_workers
    FROM market.agent ORDER BY address`
  const countedAgents = await sql`
    SELECT a.address,
      (SELECT count(*)::int FROM market.award WHERE worker = a.address AND NOT self_award) AS completed_tasks,
      (SELECT count(DISTINCT t.requester)::int FROM market.award w JOIN market.task t ON t.id = w.task_id
        WHERE w.worker = a.address AND t.requester <> a.address) AS distinct_requesters,
      (SELECT count(*)::int FROM market.rating WHERE worker = a.address) AS rated_tasks,
      (SELECT coalesce(sum(gross_amount), 0)::text FROM market.award
        WHERE worker = a.address AND rating IS NOT NULL) AS rated_volume,
      (SELECT coalesce(sum(rating), 0)::int FROM market.rating WHERE worker = a.address) AS total_stars,
      (SELECT coalesce(sum(worker_payment), 0)::text FROM market.award WHERE worker = a.address AND NOT self_award)
        AS total_earnings,
      (SELECT count(*)::int FROM market.task WHERE requester = a.address) AS tasks_created,
      (SELECT count(*)::int FROM market.task WHERE requester = a.address AND self_award) AS self_awards,
      (SELECT count(*)::int FROM market.submission s JOIN market.task t ON t.id = s.task_id
        WHERE t.requester = a.address) AS submission_attempts,
      (SELECT count(DISTINCT e.worker)::int FROM market.task_entry e JOIN market.task t ON t.id = e.task_id
        WHERE t.requester = a.address AND e.submission_count > 0) AS unique_workers
    FROM market.agent a ORDER BY a.address`
  expect([...agents]).toEqual([...countedAgents])

  const wrongTasks = await sql`
    SELECT t.id FROM market.task t
    WHERE t.submission_count <> (SELECT count(*) FROM market.submission WHERE task_id = t.id)
       OR t.active_submission_count <>
          (SELECT count(*) FROM market.submission WHERE task_id = t.id AND rejected_at IS NULL)
       OR t.submitter_count <> 
          (SELECT count(*) FROM market.task_entry WHERE task_id = t.id AND submission_count > 0)
       OR t.pitch_count <> (SELECT coalesce(sum(anchor_count), 0) FROM market.pitch WHERE task_id = t.id)
       OR t.bid_count <> (SELECT coalesce(sum(placed_count), 0) FROM market.bid WHERE task_id = t.id)
       OR t.proof_count <> (SELECT count(*) FROM market.proof WHERE task_id = t.id)
       OR t.award_count <> (SELECT count(*) FROM market.award WHERE task_id = t.id)
       OR t.event_count <> (SELECT count(*) FROM market.task_event WHERE task_id = t.id)
       OR t.primary_worker IS DISTINCT FROM (SELECT worker FROM market.award WHERE task_id = t.id AND rank = 1)
       OR (t.ended_at IS NULL) <> (t.status NOT IN ('completed', 'expired', 'cancelled'))
       OR (t.ended_at IS NOT NULL AND t.escrow + t.stake <> 0)
       OR (SELECT code FROM market.reference_code WHERE target_id = t.id) IS DISTINCT FROM t.reference_code`
  expect([...wrongTasks]).toEqual([])
}

/**
 * The statistics of requesters against the logged ends of tasks, by the contract's kinds; and a row for every account
 * that acted.
 */
async function expectRecordsEqual({ sql, logs }: Pick<Subject, 'sql' | 'logs'>): Promise<void> {
  const endings = logsOf(logs, 'RequesterReputation')
  const rows = await sql`SELECT * FROM market.agent ORDER BY address`
  expect(
    rows.map((row) => [
      row.address,
      row.tasks_completed,
      row.cancelled_after_submissions,
      row.expired_no_action,
      row.expired_after_rejections,
      row.stale_tasks,
      row.undelivered_auctions,
    ]),
  ).toEqual(
    rows.map(({ address }) => {
      const count = (kind: number) =>
        endings.filter(({ args }) => lower(args.requester) === address && args.kind === kind).length
      return [address, count(0), count(2), count(3), count(4), count(5), countUndelivered(logs, address)]
    }),
  )
  const active = logsOf(
    logs,
    ...(['TaskCreated', 'TaskWorkerSelected', 'PitchSubmitted', 'BidSubmitted', 'TaskSubmitted'] as const),
    ...(['VerdictIssued', 'DisputeResolved'] as const),
  ).map(({ args }) => {
    if ('requester' in args) return lower(args.requester)
    if ('worker' in args) return lower(args.worker)
    return lower('evaluator' in args ? args.evaluator : args.resolver)
  })
  const known = new Set<string>(rows.map((row) => row.address))
  expect([...new Set(active)].filter((address) => !known.has(address))).toEqual([])
}

/** Expired auctions of a requester with a bid or an acceptance, and without a delivery. */
function countUndelivered(logs: Subject['logs'], requester: string): number {
  const tasksOf = (...names: Parameters<typeof logsOf>[1][]) =>
    new Set(logsOf(logs, ...names).map(({ args }) => ('taskId' in args ? args.taskId : null)))
  const entered = tasksOf('BidSubmitted', 'TaskWorkerSelected')
  const [delivered, expired] = [tasksOf('TaskSubmitted'), tasksOf('TaskExpired')]
  return logsOf(logs, 'TaskCreated').filter(
    ({ args }) =>
      lower(args.requester) === requester &&
      args.mode === toModeSelector('auction') &&
      entered.has(args.taskId) &&
      expired.has(args.taskId) &&
      !delivered.has(args.taskId),
  ).length
}

function byFirst(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1
}
