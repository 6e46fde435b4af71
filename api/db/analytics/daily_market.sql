-- One row a day of the whole market. USDC has six decimals.
select a.day, a.posted, a.posted_rewards, trim_scale(a.posted_rewards * 0.000001) as posted_rewards_usdc,
  a.entered, a.delivered, a.accepted, a.paid, a.requesters, a.workers,
  a.gmv, trim_scale(a.gmv * 0.000001) as gmv_usdc,
  a.self_awarded, trim_scale(a.self_awarded * 0.000001) as self_awarded_usdc,
  a.platform_fees, trim_scale(a.platform_fees * 0.000001) as platform_fees_usdc,
  a.evaluator_fees, trim_scale(a.evaluator_fees * 0.000001) as evaluator_fees_usdc,
  m.service_fees, trim_scale(m.service_fees * 0.000001) as service_fees_usdc,
  m.escrow as escrow_locked, trim_scale(m.escrow * 0.000001) as escrow_locked_usdc,
  m.escrow + m.stakes + m.credits + m.prepaid as liability,
  trim_scale((m.escrow + m.stakes + m.credits + m.prepaid) * 0.000001) as liability_usdc,
  a.entry_seconds, a.median_entry_seconds, a.payouts, a.payout_seconds, a.median_payout_seconds
from service.daily_activity a
join service.daily_money m using (day)
where a.mode = 'all'
