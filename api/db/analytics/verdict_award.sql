-- Awards as they were decided.
select
  w.id,
  w.task_id,
  w.decided_by,
  w.worker,
  w.amount,
  trim_scale(w.amount * 1e-6) as amount_usdc,
  w.rank,
  to_timestamp(w.block_timestamp) as decided_at,
  w.block_timestamp as decided_at_s,
  w.block_number,
  w.transaction_hash as tx_hash,
  w.log_index
from market.verdict_award w
