-- Events of tasks. The codes in their arguments are words here, in the order of the enums of the contract.
select
  e.id,
  e.task_id,
  e.ordinal,
  k.kind,
  e.name,
  e.subject,
  e.status_after,
  case e.name
    when 'TaskCreated' then (select t.mode from market.task t where t.id = e.task_id)
    when 'TaskWorkerSelected' then (array['claim', 'pitch', 'bid', 'clock_price'])[1 + (e.args ->> 'kind')::int]
    when 'EscrowReturned' then (
      array['reward_decreased', 'auction_surplus', 'unawarded']
    )[1 + (e.args ->> 'reason')::int]
    when 'TaskCancelled' then (array['requester', 'reject_verdict'])[1 + (e.args ->> 'reason')::int]
    when 'VerdictIssued' then (array['approve', 'reject', 'partial'])[(e.args ->> 'verdict')::int]
    when 'DisputeResolved' then (array['approve', 'reject', 'partial'])[(e.args ->> 'verdict')::int]
    when 'VerdictFinalized' then (array['approve', 'reject', 'partial'])[(e.args ->> 'verdict')::int]
    when 'RequesterReputation' then (
      array['completed', 'cancelled', 'cancelled_after_submissions', 'expired_no_action', 'expired_after_rejections',
        'stale', 'expired_undelivered', 'rejected_by_verdict']
    )[1 + (e.args ->> 'kind')::int]
    when 'ProofSubmitted' then (
      select p.proof_type from market.proof p
      where p.task_id = e.task_id and p.proof_index = (e.args ->> 'proofIndex')::int
    )
    when 'HookCallFailed' then case e.args ->> 'selector'
      when '0x97942309' then 'checkFund'
      when '0xac63e52c' then 'checkClaim'
      when '0x03e71b04' then 'checkSelectWorker'
      when '0xb65065f4' then 'checkSubmit'
      when '0xde54572a' then 'checkEvaluate'
      when '0xa781010a' then 'checkComplete'
      when '0x8b42bc91' then 'onComplete'
      when '0xe1ef65a9' then 'onForfeit'
      when '0xa55e8383' then 'onCancel'
      when '0x19e10090' then 'onExpire'
    end
  end as detail,
  e.amount,
  trim_scale(e.amount * 1e-6) as amount_usdc,
  to_timestamp(e.block_timestamp) as at,
  e.block_timestamp as at_s,
  (
    select coalesce(o.operation, i.selector)
    from market.relayed_intent i
    left join analytics.operation o on o.selector = i.selector
    where i.transaction_hash = e.transaction_hash
    limit 1
  ) as operation,
  e.args,
  e.block_number,
  e.transaction_hash as tx_hash,
  e.log_index
from market.task_event e
left join analytics.event_kind k on k.name = e.name
