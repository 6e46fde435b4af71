-- Relayed calls.
select
  i.intent_id,
  coalesce(o.operation, i.selector) as operation,
  i.selector,
  i.actor,
  i.task_id,
  i.amount,
  trim_scale(i.amount * 1e-6) as amount_usdc,
  i.escrow_amount,
  trim_scale(i.escrow_amount * 1e-6) as escrow_amount_usdc,
  (i.amount - i.escrow_amount) as fee,
  trim_scale((i.amount - i.escrow_amount) * 1e-6) as fee_usdc,
  i.prepaid,
  to_timestamp(i.block_timestamp) as at,
  i.block_timestamp as at_s,
  i.block_number,
  i.transaction_hash as tx_hash,
  i.log_index
from market.relayed_intent i
left join analytics.operation o on o.selector = i.selector
