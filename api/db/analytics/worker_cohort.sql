-- Retention of workers by week. Of assignments the claim and the acceptance of a clock price are acts of the worker.
with activity as (
  select distinct e.subject as wallet, date_trunc('week', to_timestamp(e.block_timestamp) at time zone 'UTC')::date as week
  from market.task_event e
  join market.task t on t.id = e.task_id and t.requester <> e.subject
  where e.name in ('PitchSubmitted', 'BidSubmitted', 'TaskSubmitted')
    or (e.name = 'TaskWorkerSelected' and (e.args ->> 'kind')::int in (0, 3))
), first_week as (
  select wallet, min(week) as cohort_week from activity group by wallet
)
select
  cohorts.cohort_week,
  weeks.week,
  (weeks.week - cohorts.cohort_week) / 7 as weeks_since,
  cohorts.cohort_size,
  coalesce(counted.active, 0) as active,
  trim_scale(round(coalesce(counted.active, 0)::numeric / cohorts.cohort_size, 4)) as retention
from (
  select first_week.cohort_week, count(*) as cohort_size
  from first_week
  group by first_week.cohort_week
) as cohorts
cross join lateral (
  select cohorts.cohort_week + 7 * n as week
  from generate_series(0, ((select max(activity.week) from activity) - cohorts.cohort_week) / 7) as n
) as weeks
left join (
  select first_week.cohort_week, activity.week, count(*) as active
  from activity
  join first_week on first_week.wallet = activity.wallet
  group by first_week.cohort_week, activity.week
) as counted on counted.cohort_week = cohorts.cohort_week and counted.week = weeks.week
