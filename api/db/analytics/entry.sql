-- Parts of workers in tasks.
select
  n.id,
  n.task_id,
  t.requester,
  n.worker,
  t.mode,
  n.worker = t.requester as is_self,
  n.running as is_running,
  n.pitched,
  n.bid,
  trim_scale(n.bid * 1e-6) as bid_usdc,
  n.submission_count,
  n.active_submission_count,
  n.rejected,
  n.awarded,
  n.rated,
  to_timestamp((
    select min(e.block_timestamp)
    from market.task_event e
    where e.task_id = n.task_id and e.subject = n.worker
      and e.name in ('PitchSubmitted', 'BidSubmitted', 'TaskSubmitted')
  )) as entered_at,
  (
    select min(e.block_timestamp)
    from market.task_event e
    where e.task_id = n.task_id and e.subject = n.worker
      and e.name in ('PitchSubmitted', 'BidSubmitted', 'TaskSubmitted')
  ) as entered_at_s,
  to_timestamp(t.created_at) as task_created_at,
  t.created_at as task_created_at_s
from market.task_entry n
left join market.task t on t.id = n.task_id
