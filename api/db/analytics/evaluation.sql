-- Evaluators and decisions.
select
  v.task_id,
  t.requester,
  t.mode,
  v.evaluator,
  v.dispute_resolver,
  case
    when v.timed_out_at is not null then 'timed_out'
    when v.finalized_at is not null then 'final'
    when v.resolved_at is not null then 'resolved'
    when v.appealed_at is not null then 'appealed'
    when v.verdict_at is not null then 'decided'
    when t.ended_at is not null then 'ended'
    else 'waiting'
  end as state,
  v.verdict,
  v.resolution,
  v.resolution <> v.verdict as is_reversed,
  v.appellant,
  v.score,
  v.confidence,
  v.evidence_hash,
  v.fee_bps,
  v.fee,
  trim_scale(v.fee * 1e-6) as fee_usdc,
  v.evaluation_window,
  v.appeal_window,
  to_timestamp(v.assigned_at) as assigned_at,
  v.assigned_at as assigned_at_s,
  to_timestamp(v.verdict_at) as verdict_at,
  v.verdict_at as verdict_at_s,
  to_timestamp(v.appealed_at) as appealed_at,
  v.appealed_at as appealed_at_s,
  to_timestamp(v.resolved_at) as resolved_at,
  v.resolved_at as resolved_at_s,
  to_timestamp(v.finalized_at) as finalized_at,
  v.finalized_at as finalized_at_s,
  to_timestamp(v.timed_out_at) as timed_out_at,
  v.timed_out_at as timed_out_at_s,
  v.block_number,
  v.transaction_hash as tx_hash,
  v.log_index
from market.evaluation v
left join market.task t on t.id = v.task_id
