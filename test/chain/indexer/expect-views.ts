import { expect } from 'vitest'
import { analyticsViews } from '../../../api/db/analytics/views.ts'
import type { Subject } from './expectation.ts'

/** Queries that find a difference between a view and what it must equal; none of them may return a row. */
const differences: Record<string, string> = {
  'the ends of tasks, and the counters of requesters': `
    SELECT * FROM analytics.requester_reliability r JOIN market.agent a ON a.address = r.requester
    WHERE (r.tasks, r.completed, r.cancelled_after_submissions, r.expired_no_action, r.expired_after_rejections, r.stale,
        r.self_awarded_tasks)
      <> (a.tasks_created, a.tasks_completed, a.cancelled_after_submissions, a.expired_no_action,
        a.expired_after_rejections, a.stale_tasks, a.self_awards)`,
  'all requesters, each once': `
    SELECT address FROM market.agent WHERE tasks_created > 0 EXCEPT ALL
    SELECT requester FROM analytics.requester_reliability`,
  'the parts of tasks and deliveries, and their sums': `
    SELECT * FROM analytics.requester_reliability
    WHERE tasks <> running + completed + cancelled + cancelled_after_submissions + expired_no_action
        + expired_after_rejections + stale + expired_undelivered + rejected_by_verdict
      OR deliveries <> paid_deliveries + outcompeted_deliveries + unpaid_deliveries
      OR accepted_tasks > decidable_tasks OR NOT acceptance_rate BETWEEN 0 AND 1`,
  'what requesters awarded, and what left the escrow': `
    SELECT FROM analytics.ledger WHERE kind IN ('awarded', 'platform_fee') AND task_id IS NOT NULL
    HAVING coalesce(sum(amount), 0)
      <> (SELECT coalesce(sum(awarded + self_awarded), 0) FROM analytics.requester_reliability)`,
  'what workers earned, and their counters': `
    SELECT * FROM analytics.worker_economics w RIGHT JOIN market.agent a ON a.address = w.worker
    WHERE (coalesce(w.awards, 0), coalesce(w.earned, 0)) <> (a.completed_tasks, a.total_earnings)
      OR w.requesters <> a.distinct_requesters OR w.rated_awards <> a.rated_tasks`,
  'what workers earned in all, and the totals of the market': `
    SELECT FROM analytics.worker_economics
    HAVING coalesce(sum(earned + self_earned), 0) <> (SELECT total_worker_payments FROM market.market_stats)`,
  'service fees of wallets, and of the ledger': `
    SELECT from_account, sum(amount) FROM analytics.ledger
    WHERE kind = 'service_fee' AND from_account IN (SELECT worker FROM analytics.worker_economics)
    GROUP BY 1 EXCEPT
    SELECT worker, service_fees FROM analytics.worker_economics`,
  'service fees of calls, and of the ledger': `
    (SELECT operation, sum(fee) FROM analytics.relay WHERE fee > 0 GROUP BY 1 EXCEPT
      SELECT operation, sum(amount) FROM analytics.ledger WHERE kind = 'service_fee' GROUP BY 1)
    UNION ALL SELECT operation, 0 FROM analytics.relay WHERE operation LIKE '0x%'`,
  'earnings by asset, and the ledger': `
    (SELECT asset, source, sum(amount), sum(amount_units) FROM analytics.worker_earning GROUP BY 1, 2) EXCEPT
    SELECT l.asset, s.source, sum(l.amount), sum(l.amount_units)
    FROM analytics.ledger l
    JOIN (VALUES ('awarded', 'award'), ('bonus_credited', 'bonus'), ('vault_claimed', 'vault')) AS s(kind, source) USING (kind)
    LEFT JOIN analytics.award a ON l.kind = 'awarded' AND a.id || ':awarded' = l.id
    LEFT JOIN analytics.bonus b ON l.kind = 'bonus_credited' AND b.id || ':bonus_credited' = l.id
    WHERE a.self_award IS NOT TRUE AND b.role IS DISTINCT FROM 'requester'
    GROUP BY 1, 2`,
  'events whose kind or code has no word': `
    SELECT * FROM analytics.event
    WHERE kind IS NULL OR detail IS NULL AND kind IN ('task_created', 'task_worker_selected', 'escrow_returned',
      'task_cancelled', 'verdict_issued', 'dispute_resolved', 'verdict_finalized', 'requester_reputation',
      'proof_submitted', 'hook_call_failed')`,
  'tasks that ended without an outcome, or have one before': `
    SELECT * FROM analytics.task WHERE (outcome IS NULL) <> (ended_at IS NULL)`,
  'submissions that were awarded, and awards': `
    SELECT a.id FROM analytics.award a
    WHERE NOT EXISTS (SELECT FROM analytics.submission s
      WHERE (s.task_id, s.worker, s.deliverable, s.state) = (a.task_id, a.worker, a.deliverable, 'awarded'))`,
  'entries without a time, or before their task': `
    SELECT * FROM analytics.entry WHERE entered_at IS NULL OR entered_at < task_created_at`,
  'times and their seconds, amounts and their units': `
    SELECT FROM analytics.task
    WHERE extract(epoch FROM created_at) <> created_at_s OR extract(epoch FROM ended_at) <> ended_at_s
      OR reward_usdc * 1000000 <> reward`,
  'first cohorts, and all wallets': `
    SELECT FROM analytics.requester_cohort WHERE weeks_since = 0
    HAVING sum(cohort_size) <> (SELECT count(DISTINCT requester) FROM analytics.task) OR sum(active) <> sum(cohort_size)`,
}

/** The views of `analytics` against the counters, totals and movements that the same history left elsewhere. */
export async function expectViewsEqual({ sql }: Pick<Subject, 'sql'>): Promise<void> {
  for (const { name } of analyticsViews)
    await sql.unsafe(`SELECT md5(string_agg(v::text, '')) FROM analytics.${name} AS v`)
  for (const [name, query] of Object.entries(differences)) expect([...(await sql.unsafe(query))], name).toEqual([])
}
