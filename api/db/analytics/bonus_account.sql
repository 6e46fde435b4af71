-- Wallets of the programme.
select
  z.account,
  programme.token,
  z.credited_total,
  trim_scale(z.credited_total * programme.unit) as credited_total_units,
  z.withdrawn_total,
  trim_scale(z.withdrawn_total * programme.unit) as withdrawn_total_units,
  z.claimable,
  trim_scale(z.claimable * programme.unit) as claimable_units,
  z.withdrawal_count,
  to_timestamp(z.first_seen) as first_seen,
  z.first_seen as first_seen_s
from market.bonus_account z
left join (
  select token, ('1e-' || token_decimals)::numeric as unit from market.bonus_programme where id = 'bonus'
) as programme on true
