-- Deferred payouts.
select
  d.account,
  d.amount,
  trim_scale(d.amount * 1e-6) as amount_usdc,
  d.deferred_total,
  trim_scale(d.deferred_total * 1e-6) as deferred_total_usdc
from market.credit d
