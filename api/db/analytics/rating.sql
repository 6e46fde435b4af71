-- Ratings.
select
  r.id,
  r.task_id,
  r.requester,
  r.worker,
  r.rating,
  r.rater_agent_id,
  r.worker_agent_id,
  r.feedback_uri,
  to_timestamp(r.rated_at) as rated_at,
  r.rated_at as rated_at_s,
  r.block_number,
  r.transaction_hash as tx_hash,
  r.log_index
from market.rating r
