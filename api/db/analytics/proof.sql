-- Benchmark proofs.
select
  p.id,
  p.task_id,
  t.requester,
  p.worker,
  p.proof_type,
  p.metric_value,
  p.proof_hash,
  p.proof_index,
  to_timestamp(p.submitted_at) as submitted_at,
  p.submitted_at as submitted_at_s,
  p.block_number,
  p.transaction_hash as tx_hash,
  p.log_index
from market.proof p
left join market.task t on t.id = p.task_id
