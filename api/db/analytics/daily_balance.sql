-- What the accounts of a class held at the end of each day that changed it.
select day, asset, account_class, inflow, outflow, balance,
  trim_scale(balance * ('1e-' || decimals)::numeric) as balance_units
from service.daily_balance
