-- Epochs of vaults.
select
  c.id,
  c.vault_id,
  v.owner,
  v.token,
  c.epoch,
  c.defaulted,
  trim_scale(c.defaulted * ('1e-' || v.token_decimals)::numeric) as defaulted_units,
  c.returned,
  trim_scale(c.returned * ('1e-' || v.token_decimals)::numeric) as returned_units,
  c.returned_to,
  to_timestamp(c.started_at) as started_at,
  c.started_at as started_at_s,
  to_timestamp(c.ended_at) as ended_at,
  c.ended_at as ended_at_s
from market.vault_epoch c
left join market.sponsored_vault v on v.vault_id = c.vault_id
