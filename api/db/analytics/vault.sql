-- Vaults of sponsors.
select
  v.vault_id,
  v.vault,
  v.owner,
  v.token,
  v.token_symbol,
  v.token_decimals,
  case
    when v.exited_at is not null then 'exited'
    when v.exit_at is not null then 'exit_announced'
    else 'active'
  end as status,
  v.epoch,
  v.available,
  trim_scale(v.available * ('1e-' || v.token_decimals)::numeric) as available_units,
  v.reserved,
  trim_scale(v.reserved * ('1e-' || v.token_decimals)::numeric) as reserved_units,
  v.owed,
  trim_scale(v.owed * ('1e-' || v.token_decimals)::numeric) as owed_units,
  v.fees,
  trim_scale(v.fees * ('1e-' || v.token_decimals)::numeric) as fees_units,
  v.fee_credit,
  trim_scale(v.fee_credit * ('1e-' || v.token_decimals)::numeric) as fee_credit_units,
  v.funded_total,
  trim_scale(v.funded_total * ('1e-' || v.token_decimals)::numeric) as funded_total_units,
  v.withdrawn_total,
  trim_scale(v.withdrawn_total * ('1e-' || v.token_decimals)::numeric) as withdrawn_total_units,
  v.claimed_total,
  trim_scale(v.claimed_total * ('1e-' || v.token_decimals)::numeric) as claimed_total_units,
  v.collected_total,
  trim_scale(v.collected_total * ('1e-' || v.token_decimals)::numeric) as collected_total_units,
  to_timestamp(v.block_timestamp) as created_at,
  v.block_timestamp as created_at_s,
  to_timestamp(v.exit_at) as exit_at,
  v.exit_at as exit_at_s,
  to_timestamp(v.exited_at) as exited_at,
  v.exited_at as exited_at_s,
  v.block_number,
  v.transaction_hash as tx_hash,
  v.log_index
from market.sponsored_vault v
