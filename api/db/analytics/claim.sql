-- Claims.
select
  c.id,
  c.task_id,
  t.requester,
  c.worker,
  c.round,
  c.status,
  c.stake_amount,
  trim_scale(c.stake_amount * 1e-6) as stake_amount_usdc,
  to_timestamp(c.claimed_at) as claimed_at,
  c.claimed_at as claimed_at_s,
  c.block_number,
  c.transaction_hash as tx_hash,
  c.log_index
from market.claim c
left join market.task t on t.id = c.task_id
