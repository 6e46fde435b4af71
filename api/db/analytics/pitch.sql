-- Pitches.
select
  p.id,
  p.task_id,
  t.requester,
  p.worker,
  p.worker is not distinct from t.worker as is_selected,
  p.pitch_hash,
  p.pitch_index,
  p.anchor_count,
  to_timestamp(p.submitted_at) as submitted_at,
  p.submitted_at as submitted_at_s,
  p.block_number,
  p.transaction_hash as tx_hash,
  p.log_index
from market.pitch p
left join market.task t on t.id = p.task_id
