-- Claims that vaults paid.
select
  c.id,
  c.vault_id,
  v.token,
  v.token_symbol,
  c.task_id,
  c.worker,
  c.destination,
  c.amount,
  trim_scale(c.amount * ('1e-' || v.token_decimals)::numeric) as amount_units,
  to_timestamp(c.block_timestamp) as claimed_at,
  c.block_timestamp as claimed_at_s,
  c.block_number,
  c.transaction_hash as tx_hash,
  c.log_index
from market.vault_claim c
left join market.sponsored_vault v on v.vault_id = c.vault_id
