-- Bids.
select
  b.id,
  b.task_id,
  t.requester,
  b.worker,
  b.price,
  trim_scale(b.price * 1e-6) as price_usdc,
  t.reward,
  trim_scale(t.reward * 1e-6) as reward_usdc,
  b.worker = t.lowest_bidder as is_lowest,
  b.worker is not distinct from t.worker as is_assigned,
  b.bid_number,
  b.placed_count,
  to_timestamp(b.placed_at) as placed_at,
  b.placed_at as placed_at_s,
  to_timestamp(b.bid_deadline) as bid_deadline,
  b.bid_deadline as bid_deadline_s,
  b.block_number,
  b.transaction_hash as tx_hash,
  b.log_index
from market.bid b
left join market.task t on t.id = b.task_id
