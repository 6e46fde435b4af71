-- Movements of the ledger, by day, asset, kind and classes of accounts.
select day, asset, kind, from_class, to_class, movements, amount,
  trim_scale(amount * ('1e-' || decimals)::numeric) as amount_units
from service.daily_flow
