-- What workers earned by asset. USDC has 6 decimals, other tokens those that they answered.
select
  g.address as worker,
  earned.asset,
  earned.symbol,
  earned.source,
  earned.payments,
  earned.amount,
  trim_scale(earned.amount * earned.unit) as amount_units
from market.agent g
cross join lateral (
  select
    (select usdc from market.market_config) as asset,
    'USDC'::text as symbol,
    'award'::text as source,
    count(*) as payments,
    sum(a.worker_payment) as amount,
    1e-6 as unit
  from market.award a
  where a.worker = g.address and not a.self_award
  having count(*) > 0
  union all
  select p.token, null, 'bonus', count(*), sum(b.credited), ('1e-' || p.token_decimals)::numeric
  from market.bonus_credit b
  cross join market.bonus_programme p
  where b.account = g.address and b.role = 'worker'
  group by p.token, p.token_decimals
  union all
  select v.token, v.token_symbol, 'vault', count(*), sum(c.amount), ('1e-' || v.token_decimals)::numeric
  from market.vault_claim c
  join market.sponsored_vault v on v.vault_id = c.vault_id
  where c.worker = g.address
  group by v.token, v.token_symbol, v.token_decimals
) as earned
