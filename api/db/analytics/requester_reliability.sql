-- How requesters treat their workers. Each part reads the tasks of one requester along an index.
select
  g.address as requester,
  g.agent_id,
  made.tasks,
  made.running,
  made.completed,
  made.cancelled,
  made.cancelled_after_submissions,
  made.expired_no_action,
  made.expired_after_rejections,
  made.stale,
  made.expired_undelivered,
  made.rejected_by_verdict,
  made.self_awarded as self_awarded_tasks,
  delivered.tasks as decidable_tasks,
  delivered.accepted as accepted_tasks,
  trim_scale(round(delivered.accepted::numeric / nullif(delivered.tasks, 0), 4)) as acceptance_rate,
  delivered.deliveries,
  delivered.paid as paid_deliveries,
  delivered.outcompeted as outcompeted_deliveries,
  delivered.unpaid as unpaid_deliveries,
  delivered.rejected as rejected_deliveries,
  made.objected as objected_tasks,
  judged.verdicts,
  judged.appeals,
  judged.reversals,
  decided.median_seconds as median_decision_seconds,
  made.median_payout_seconds,
  paid.awarded,
  trim_scale(paid.awarded * 1e-6) as awarded_usdc,
  paid.self_awarded,
  trim_scale(paid.self_awarded * 1e-6) as self_awarded_usdc,
  to_timestamp(made.first_task_at) as first_task_at,
  made.first_task_at as first_task_at_s,
  to_timestamp(made.last_task_at) as last_task_at,
  made.last_task_at as last_task_at_s
from market.agent g
cross join lateral (
  select
    count(*) as tasks,
    count(*) filter (where t.ended_at is null) as running,
    count(*) filter (where ended.kind = 0) as completed,
    count(*) filter (where ended.kind = 1) as cancelled,
    count(*) filter (where ended.kind = 2) as cancelled_after_submissions,
    count(*) filter (where ended.kind = 3) as expired_no_action,
    count(*) filter (where ended.kind = 4) as expired_after_rejections,
    count(*) filter (where ended.kind = 5) as stale,
    count(*) filter (where ended.kind = 6) as expired_undelivered,
    count(*) filter (where ended.kind = 7) as rejected_by_verdict,
    count(*) filter (where t.self_award) as self_awarded,
    count(*) filter (where t.objected) as objected,
    min(t.created_at) as first_task_at,
    max(t.created_at) as last_task_at,
    (
      percentile_cont(0.5) within group (order by t.ended_at - t.created_at)
        filter (where t.award_count > 0 and not t.self_award)
    )::bigint as median_payout_seconds
  from market.task t
  left join lateral (
    select (e.args ->> 'kind')::int as kind
    from market.task_event e
    where e.task_id = t.id and e.name = 'RequesterReputation'
    limit 1
  ) as ended on true
  where t.requester = g.address
) as made
cross join lateral (
  select
    count(distinct t.id) filter (where not coalesce(t.self_award, false)) as tasks,
    count(distinct t.id) filter (where t.award_count > 0 and not t.self_award) as accepted,
    count(*) as deliveries,
    count(*) filter (where n.awarded) as paid,
    count(*) filter (where not n.awarded and t.award_count > 0) as outcompeted,
    count(*) filter (where t.award_count = 0) as unpaid,
    count(*) filter (where n.rejected) as rejected
  from market.task t
  join market.task_entry n on n.task_id = t.id and n.worker <> t.requester and n.submission_count > 0
  where t.requester = g.address and t.ended_at is not null
) as delivered
cross join lateral (
  select
    (
      percentile_cont(0.5) within group (order by least(s.rejected_at, a.settled_at) - s.submitted_at)
    )::bigint as median_seconds
  from market.task t
  join market.submission s on s.task_id = t.id and s.worker <> t.requester
  left join market.award a on a.id = t.id || ':' || s.worker and a.deliverable = s.deliverable
  where t.requester = g.address
) as decided
cross join lateral (
  select
    coalesce(sum(a.gross_amount) filter (where not a.self_award), 0) as awarded,
    coalesce(sum(a.gross_amount) filter (where a.self_award), 0) as self_awarded
  from market.task t
  join market.award a on a.task_id = t.id
  where t.requester = g.address
) as paid
cross join lateral (
  select
    count(v.verdict_at) as verdicts,
    count(v.appealed_at) as appeals,
    count(*) filter (where v.resolution <> v.verdict) as reversals
  from market.task t
  join market.evaluation v on v.task_id = t.id
  where t.requester = g.address
) as judged
where g.tasks_created > 0
