-- One row a day and mode of tasks with an event. USDC has six decimals.
select day, mode, posted, posted_rewards, trim_scale(posted_rewards * 0.000001) as posted_rewards_usdc,
  entered, delivered, accepted, paid, requesters, workers,
  gmv, trim_scale(gmv * 0.000001) as gmv_usdc,
  self_awarded, trim_scale(self_awarded * 0.000001) as self_awarded_usdc,
  platform_fees, trim_scale(platform_fees * 0.000001) as platform_fees_usdc,
  evaluator_fees, trim_scale(evaluator_fees * 0.000001) as evaluator_fees_usdc,
  entry_seconds, median_entry_seconds, payouts, payout_seconds, median_payout_seconds
from service.daily_activity
where mode <> 'all'
