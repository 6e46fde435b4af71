-- Submissions.
select
  s.id,
  s.reference_code,
  s.task_id,
  t.requester,
  s.worker,
  t.mode,
  case
    when a.id is not null then 'awarded'
    when s.rejected_at is not null then 'rejected'
    when t.ended_at is null then 'waiting'
    else 'not_awarded'
  end as state,
  p.id is not null as is_proof,
  s.submission_index,
  s.deliverable,
  to_timestamp(s.submitted_at) as submitted_at,
  s.submitted_at as submitted_at_s,
  to_timestamp(s.rejected_at) as rejected_at,
  s.rejected_at as rejected_at_s,
  to_timestamp(t.ended_at) as task_ended_at,
  t.ended_at as task_ended_at_s,
  s.block_number,
  s.transaction_hash as tx_hash,
  s.log_index
from market.submission s
left join market.task t on t.id = s.task_id
left join market.award a on a.id = s.task_id || ':' || s.worker and a.deliverable = s.deliverable
left join market.proof p on p.id = s.id
