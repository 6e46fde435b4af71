-- Awards.
select
  a.id,
  a.task_id,
  t.requester,
  a.worker,
  t.mode,
  a.rank,
  a.gross_amount,
  trim_scale(a.gross_amount * 1e-6) as gross_amount_usdc,
  a.worker_payment,
  trim_scale(a.worker_payment * 1e-6) as worker_payment_usdc,
  a.platform_fee,
  trim_scale(a.platform_fee * 1e-6) as platform_fee_usdc,
  a.self_award,
  a.deliverable,
  to_timestamp(t.created_at) as task_created_at,
  t.created_at as task_created_at_s,
  to_timestamp(a.settled_at) as settled_at,
  a.settled_at as settled_at_s,
  a.rating,
  to_timestamp(a.rated_at) as rated_at,
  a.rated_at as rated_at_s,
  a.block_number,
  a.transaction_hash as tx_hash,
  a.log_index
from market.award a
left join market.task t on t.id = a.task_id
