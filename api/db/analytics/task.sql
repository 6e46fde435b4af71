-- Tasks. Texts are those of a task that was created as public, of the hash that is on chain now, and of a public one: a direct
-- call may put any hash of the requester there. Each is a subquery of its own, which PostgreSQL neither joins nor gives conditions
-- of a reader, so that no function of a reader is called with the text of another task; and the newest tasks come along an index.
select
  t.id,
  t.reference_code,
  t.requester,
  t.mode,
  t.auction_type,
  t.status,
  (
    select (
      array['completed', 'cancelled', 'cancelled_after_submissions', 'expired_no_action', 'expired_after_rejections',
        'stale', 'expired_undelivered', 'rejected_by_verdict']
    )[1 + (e.args ->> 'kind')::int]
    from market.task_event e
    where e.task_id = t.id and e.name = 'RequesterReputation'
    limit 1
  ) as outcome,
  t.listed and coalesce((
    select true
    from service.task_content created
    where created.requester = t.requester and created.content_hash = t.created_content_hash
      and created.task_visibility = 'public'
  ), false) as is_public,
  (
    select nullif(left(substring(texts.description from E'^[^\n\r\u2028\u2029]*'), 80), '')
    from service.task_content texts
    join service.task_content created on created.requester = texts.requester
      and created.content_hash = t.created_content_hash and created.task_visibility = 'public'
    where texts.requester = t.requester and texts.content_hash = t.content_hash
      and texts.task_visibility = 'public' and t.listed
  ) as title,
  (
    select texts.description
    from service.task_content texts
    join service.task_content created on created.requester = texts.requester
      and created.content_hash = t.created_content_hash and created.task_visibility = 'public'
    where texts.requester = t.requester and texts.content_hash = t.content_hash
      and texts.task_visibility = 'public' and t.listed
  ) as description,
  (
    select texts.tags
    from service.task_content texts
    join service.task_content created on created.requester = texts.requester
      and created.content_hash = t.created_content_hash and created.task_visibility = 'public'
    where texts.requester = t.requester and texts.content_hash = t.content_hash
      and texts.task_visibility = 'public' and t.listed
  ) as tags,
  t.reward,
  trim_scale(t.reward * 1e-6) as reward_usdc,
  t.price,
  trim_scale(t.price * 1e-6) as price_usdc,
  t.escrow,
  trim_scale(t.escrow * 1e-6) as escrow_usdc,
  t.stake,
  trim_scale(t.stake * 1e-6) as stake_usdc,
  t.clock_price,
  trim_scale(t.clock_price * 1e-6) as clock_price_usdc,
  t.lowest_bid,
  trim_scale(t.lowest_bid * 1e-6) as lowest_bid_usdc,
  t.lowest_bidder,
  t.platform_fee_bps,
  t.stake_bps,
  t.worker,
  t.primary_worker,
  t.evaluator,
  t.dispute_resolver,
  t.self_award,
  t.objected,
  t.submission_count,
  t.active_submission_count,
  t.submitter_count,
  t.pitch_count,
  t.bid_count,
  t.bidder_count,
  t.proof_count,
  t.award_count,
  t.unrated_awards,
  t.claim_round,
  to_timestamp(t.created_at) as created_at,
  t.created_at as created_at_s,
  t.created_at_ms,
  to_timestamp(t.expiry_time) as expiry_time,
  t.expiry_time as expiry_time_s,
  to_timestamp(t.pitch_deadline) as pitch_deadline,
  t.pitch_deadline as pitch_deadline_s,
  to_timestamp(t.bid_deadline) as bid_deadline,
  t.bid_deadline as bid_deadline_s,
  to_timestamp(t.worker_assigned_at) as worker_assigned_at,
  t.worker_assigned_at as worker_assigned_at_s,
  to_timestamp(t.evaluator_deadline) as evaluator_deadline,
  t.evaluator_deadline as evaluator_deadline_s,
  to_timestamp(t.appeal_deadline) as appeal_deadline,
  t.appeal_deadline as appeal_deadline_s,
  to_timestamp(t.resolution_deadline) as resolution_deadline,
  t.resolution_deadline as resolution_deadline_s,
  to_timestamp((
    select min(e.block_timestamp)
    from market.task_event e
    where e.task_id = t.id and e.name in ('PitchSubmitted', 'BidSubmitted', 'TaskSubmitted', 'TaskWorkerSelected')
  )) as first_entry_at,
  (
    select min(e.block_timestamp)
    from market.task_event e
    where e.task_id = t.id and e.name in ('PitchSubmitted', 'BidSubmitted', 'TaskSubmitted', 'TaskWorkerSelected')
  ) as first_entry_at_s,
  to_timestamp(t.ended_at) as ended_at,
  t.ended_at as ended_at_s,
  t.block_number,
  t.transaction_hash as tx_hash,
  t.log_index
from market.task t
