-- Retention of requesters by week.
with activity as (
  select distinct t.requester as wallet, date_trunc('week', to_timestamp(t.created_at) at time zone 'UTC')::date as week
  from market.task t
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
