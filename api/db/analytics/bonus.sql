-- Bonuses and what earned none.
select
  y.id,
  y.task_id,
  y.rank,
  y.role,
  y.account,
  y.reason,
  programme.token,
  y.credited,
  trim_scale(y.credited * programme.unit) as credited_units,
  y.usd_credited,
  trim_scale(y.usd_credited * 1e-6) as usd_credited_usdc,
  y.multiplier_bps,
  y.epoch,
  to_timestamp(y.block_timestamp) as at,
  y.block_timestamp as at_s,
  y.block_number,
  y.transaction_hash as tx_hash,
  y.log_index
from (
  select id, task_id, rank, role, account, null::text as reason, credited, usd_credited, multiplier_bps, epoch, block_number,
    block_timestamp, transaction_hash, log_index
  from market.bonus_credit
  union all
  select id, task_id, rank, role, account, reason, 0, 0, null, null, block_number, block_timestamp, transaction_hash, log_index
  from market.bonus_skip
) as y
left join (
  select token, ('1e-' || token_decimals)::numeric as unit from market.bonus_programme where id = 'bonus'
) as programme on true
