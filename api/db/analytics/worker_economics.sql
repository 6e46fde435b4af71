-- What work is worth to workers. Each part reads the rows of one worker along an index.
select
  g.address as worker,
  g.agent_id,
  entered.entries,
  entered.deliveries,
  entered.submissions,
  entered.rejected as rejected_deliveries,
  claimed.claims,
  claimed.forfeited as forfeited_claims,
  awarded.awards,
  g.distinct_requesters as requesters,
  trim_scale(round(entered.won::numeric / nullif(entered.decided, 0), 4)) as win_rate,
  awarded.earned,
  trim_scale(awarded.earned * 1e-6) as earned_usdc,
  awarded.platform_fees,
  trim_scale(awarded.platform_fees * 1e-6) as platform_fees_usdc,
  awarded.median_payment,
  trim_scale(awarded.median_payment * 1e-6) as median_payment_usdc,
  claimed.stakes_lost,
  trim_scale(claimed.stakes_lost * 1e-6) as stakes_lost_usdc,
  relayed.service_fees,
  trim_scale(relayed.service_fees * 1e-6) as service_fees_usdc,
  awarded.rated as rated_awards,
  awarded.mean_rating,
  awarded.self_awards,
  awarded.self_earned,
  trim_scale(awarded.self_earned * 1e-6) as self_earned_usdc,
  to_timestamp(awarded.first_at) as first_award_at,
  awarded.first_at as first_award_at_s,
  to_timestamp(awarded.last_at) as last_award_at,
  awarded.last_at as last_award_at_s
from market.agent g
cross join lateral (
  select
    count(*) as entries,
    count(*) filter (where n.submission_count > 0) as deliveries,
    coalesce(sum(n.submission_count), 0) as submissions,
    count(*) filter (where n.rejected) as rejected,
    count(*) filter (where n.submission_count > 0 and not n.running) as decided,
    count(*) filter (where n.submission_count > 0 and not n.running and n.awarded) as won
  from market.task_entry n
  join market.task t on t.id = n.task_id and t.requester <> n.worker
  where n.worker = g.address
) as entered
cross join lateral (
  select
    count(*) as claims,
    count(*) filter (where c.status = 'forfeited') as forfeited,
    coalesce(sum(c.stake_amount) filter (where c.status = 'forfeited'), 0) as stakes_lost
  from market.claim c
  where c.worker = g.address
) as claimed
cross join lateral (
  select
    count(*) filter (where not a.self_award) as awards,
    count(*) filter (where a.self_award) as self_awards,
    coalesce(sum(a.worker_payment) filter (where not a.self_award), 0) as earned,
    coalesce(sum(a.worker_payment) filter (where a.self_award), 0) as self_earned,
    coalesce(sum(a.platform_fee) filter (where not a.self_award), 0) as platform_fees,
    (
      percentile_disc(0.5) within group (order by a.worker_payment) filter (where not a.self_award)
    ) as median_payment,
    count(a.rating) as rated,
    trim_scale(round(avg(a.rating), 2)) as mean_rating,
    min(a.settled_at) filter (where not a.self_award) as first_at,
    max(a.settled_at) filter (where not a.self_award) as last_at
  from market.award a
  where a.worker = g.address
) as awarded
cross join lateral (
  select coalesce(sum(i.amount - i.escrow_amount), 0) as service_fees
  from market.relayed_intent i
  where i.actor = g.address and i.amount > i.escrow_amount
) as relayed
where entered.entries > 0 or claimed.claims > 0 or awarded.awards > 0
