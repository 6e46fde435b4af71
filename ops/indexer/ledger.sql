-- One row a movement of money between two accounts, made from the rows of the events. An account is a class and its
-- owner: `escrow:<task>` is `escrow` and the task. What enters an account of a contract less what leaves it is its
-- balance. The asset is USDC where it is null; branches over one table alone use the indexes of that table.
with
  -- Our own contracts, which are never a wallet: what reaches one past its functions is unassigned, but tokens of the
  -- programme at the programme are its reserve.
  own_contract as (
    select market as address, null as reserve from market_config
    union all
    select forwarder, null from market_config
    union all
    select hook, token from bonus_programme
    union all
    select vault, null from sponsored_vault
  ),
  -- The account that platform fees and forfeited stakes go to, from one setting to the next.
  fee_account as (
    select recipient as owner, block_number, log_index, next_block, next_log,
      case when own.address is null then 'wallet' when own.reserve = usdc then 'bonus_reserve' else 'unassigned' end
        as class
    from (
      select args->>'recipient' as recipient, block_number, log_index,
        -- Far behind any block, where there is none.
        lead(block_number, 1, 9223372036854775807) over place as next_block, lead(log_index, 1, 0) over place as next_log
      from market_event
      where contract = 'market' and name = 'FeeRecipientUpdated'
      window place as (order by block_number, log_index)
    ) as setting
    cross join market_config
    left join own_contract own on own.address = recipient
  ),
  movement as (
    -- Into the market, by the three calls that take money.
    select id || ':funded' as id, 'funded' as kind, task_id, null as asset,
      'wallet' as from_class, subject as from_owner, 'escrow' as to_class, task_id as to_owner, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name = 'TaskCreated' and amount is not null
    union all
    select id || ':topped_up', 'topped_up', task_id, null, 'wallet', subject, 'escrow', task_id, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name = 'TaskUpdated' and amount is not null
    union all
    select id || ':stake_taken', 'stake_taken', task_id, null, 'wallet', subject, 'stake', task_id, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name = 'TaskWorkerSelected' and amount is not null

    -- Back to the requester. TaskUpdated repeats a decrease, VerdictFinalized what a verdict leaves.
    union all
    select id || ':returned', (array['reduced', 'surplus_returned', 'unawarded_returned'])[1 + (args->>'reason')::int],
      task_id, null, 'escrow', task_id, 'wallet', subject, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name = 'EscrowReturned' and amount is not null
    union all
    select id || ':refunded', 'refunded', task_id, null, 'escrow', task_id, 'wallet', subject, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name in ('TaskCancelled', 'TaskExpired') and amount is not null

    -- Earned. On chain the fees of all awards of a task are one transfer.
    union all
    select id || ':awarded', 'awarded', task_id, null, 'escrow', task_id, 'wallet', worker, worker_payment,
      block_number, block_timestamp, transaction_hash, log_index
    from award
    where worker_payment > 0
    union all
    select id || ':platform_fee', 'platform_fee', task_id, null, 'escrow', task_id, fee.class, fee.owner, platform_fee,
      award.block_number, block_timestamp, transaction_hash, award.log_index
    from award
    join fee_account fee on (award.block_number, award.log_index) > (fee.block_number, fee.log_index)
      and (award.block_number, award.log_index) < (next_block, next_log)
    where platform_fee > 0
    union all
    select id || ':evaluator_fee', 'evaluator_fee', task_id, null, 'escrow', task_id, 'wallet', subject, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name = 'VerdictIssued' and amount is not null

    -- Stakes back to the worker, or forfeited.
    union all
    select id || ':stake_returned', 'stake_returned', task_id, null, 'stake', task_id, 'wallet', subject, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from task_event
    where name = 'StakeReturned' and amount is not null
    union all
    select id || ':stake_forfeited', 'stake_forfeited', task_id, null, 'stake', task_id, fee.class, fee.owner, amount,
      e.block_number, block_timestamp, transaction_hash, e.log_index
    from task_event e
    join fee_account fee on (e.block_number, e.log_index) > (fee.block_number, fee.log_index)
      and (e.block_number, e.log_index) < (next_block, next_log)
    where name = 'StakeForfeited' and amount is not null

    -- A payout that the token refused: paid by the row of its own event, and put back by this one.
    union all
    select e.id || ':credited', 'credited', task_id, null,
      case when own.address is null then 'wallet' when own.reserve = usdc then 'bonus_reserve' else 'unassigned' end,
      subject, 'credit', subject, amount, block_number, block_timestamp, transaction_hash, log_index
    from task_event e
    cross join market_config
    left join own_contract own on own.address = subject
    where name = 'PayoutDeferred' and amount is not null

    -- Relayed calls. Of money that arrived before, the payer gets it back first, and the call takes it from there.
    union all
    select intent_id || ':service_fee', 'service_fee', task_id, null, 'wallet', actor,
      'service_fees', (select forwarder from market_config), amount - escrow_amount,
      block_number, block_timestamp, transaction_hash, log_index
    from relayed_intent
    where amount > escrow_amount
    union all
    select intent_id || ':prepaid_used', 'prepaid_used', task_id, null, 'prepaid', actor, 'wallet', actor, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from relayed_intent
    where prepaid
    union all
    select id || ':prepaid_returned', 'prepaid_returned', null, null, 'prepaid', payer, 'wallet', payer, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from prepaid_refund
    where amount > 0

    -- Arrivals past the functions of a contract. At the forwarder nothing tells a gift from a payment.
    union all
    select id || ':prepaid', 'prepaid', null, token, 'wallet', sender, 'prepaid', sender, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from arrival
    where amount > 0 and contract = (select forwarder from market_config) and token = (select usdc from market_config)
    union all
    select arrival.id || ':stranger_transfer', 'stranger_transfer', null, arrival.token, 'wallet', sender,
      'bonus_reserve', arrival.contract, amount, block_number, block_timestamp, transaction_hash, log_index
    from arrival
    join bonus_programme on hook = arrival.contract and bonus_programme.token = arrival.token
    where amount > 0
    union all
    select arrival.id || ':stranger_transfer', 'stranger_transfer', null, arrival.token, 'wallet', sender,
      'unassigned', arrival.contract, amount, block_number, block_timestamp, transaction_hash, log_index
    from arrival
    left join bonus_programme on hook = arrival.contract and bonus_programme.token = arrival.token
    where amount > 0 and hook is null
      and (arrival.contract <> (select forwarder from market_config)
        or arrival.token <> (select usdc from market_config))

    -- Credits paid out, sweeps, the programme's reserve.
    union all
    select ordinal || ':credit_paid', 'credit_paid', null, null, 'credit', args->>'account',
      case when own.address is null then 'wallet' when own.reserve = usdc then 'bonus_reserve' else 'unassigned' end,
      args->>'to', (args->>'amount')::numeric, block_number, block_timestamp, transaction_hash, log_index
    from market_event e
    cross join market_config
    left join own_contract own on own.address = e.args->>'to'
    where name = 'CreditWithdrawn' and (args->>'amount')::numeric > 0
    union all
    select ordinal || ':' || m.kind, m.kind, null, m.asset, m.class, m.owner,
      case
        when own.address is null then 'wallet'
        when own.reserve = coalesce(m.asset, usdc) then 'bonus_reserve'
        else 'unassigned'
      end,
      args->>'to', (args->>'amount')::numeric, block_number, block_timestamp, transaction_hash, log_index
    from market_event e
    cross join market_config
    left join bonus_programme b on e.contract = 'bonus'
    join lateral (
      values
        ('FeesSwept', 'fees_swept', null, 'service_fees', forwarder),
        ('ExcessSwept', 'excess_swept', null, 'unassigned', market_config.market),
        ('ReserveTaken', 'bonus_taken', b.token, 'bonus_reserve', hook)
    ) as m(name, kind, asset, class, owner) on m.name = e.name
    left join own_contract own on own.address = e.args->>'to'
    where e.name in ('FeesSwept', 'ExcessSwept', 'ReserveTaken') and (args->>'amount')::numeric > 0
    union all
    select ordinal || ':bonus_funded', 'bonus_funded', null, token, 'wallet', args->>'from', 'bonus_reserve', hook,
      (args->>'amount')::numeric, block_number, block_timestamp, transaction_hash, log_index
    from market_event
    cross join bonus_programme
    where name = 'ReserveFunded' and (args->>'amount')::numeric > 0

    -- Bonuses.
    union all
    select c.id || ':bonus_credited', 'bonus_credited', task_id, token, 'bonus_reserve', hook, 'bonus', account,
      credited, block_number, block_timestamp, transaction_hash, log_index
    from bonus_credit c
    cross join bonus_programme
    where credited > 0
    union all
    select w.id || ':bonus_withdrawn', 'bonus_withdrawn', null, token, 'bonus', account,
      case when own.address is null then 'wallet' else 'unassigned' end, destination, amount,
      block_number, block_timestamp, transaction_hash, log_index
    from bonus_withdrawal w
    cross join bonus_programme
    left join own_contract own on own.address = destination

    -- A vault's money in and out.
    union all
    select e.id || ':vault_funded', 'vault_funded', null, token, 'wallet', e.args->>'from', 'vault', vault,
      (e.args->>'amount')::numeric, e.block_number, e.block_timestamp, e.transaction_hash, e.log_index
    from vault_event e
    join sponsored_vault using (vault_id)
    where name = 'Funded'
    union all
    select e.id || ':' || m.kind, m.kind, null, token, m.class, vault,
      case when own.address is null then 'wallet' when own.reserve = token then 'bonus_reserve' else 'unassigned' end,
      e.args->>'to', (e.args->>'amount')::numeric,
      e.block_number, e.block_timestamp, e.transaction_hash, e.log_index
    from vault_event e
    join sponsored_vault using (vault_id)
    join (
      values ('AvailableWithdrawn', 'vault_withdrawn', 'vault'), ('FeesCollected', 'vault_fees_collected', 'vault_fees')
    ) as m(name, kind, class) using (name)
    left join own_contract own on own.address = e.args->>'to'
    where name in ('AvailableWithdrawn', 'FeesCollected')

    -- Charges of a vault, and their ends. A hook of the owner's choice names any task, so none is shown.
    union all
    select c.id || ':vault_charged', 'vault_charged', case when is_own_hook then task_id end, token,
      'vault', vault, 'vault_reserved', vault, gross,
      c.block_number, c.block_timestamp, c.transaction_hash, c.log_index
    from vault_charge c
    join sponsored_vault using (vault_id)
    union all
    select c.id || ':' || m.kind, m.kind, case when is_own_hook then task_id end, token,
      'vault_reserved', vault, m.class, vault, m.amount, ended_block, ended_at, ended_transaction, ended_log_index
    from vault_charge c
    join sponsored_vault using (vault_id)
    cross join lateral (
      values
        ('vault_credited', 'vault_owed', credited),
        ('vault_fee_owed', 'vault_fees', credited_fee),
        ('vault_released', 'vault', released)
    ) as m(kind, class, amount)
    where ended_at is not null and m.amount > 0
    union all
    select l.id || ':vault_claimed', 'vault_claimed', case when is_own_hook then c.task_id end, token,
      'vault_owed', vault,
      case when own.address is null then 'wallet' when own.reserve = token then 'bonus_reserve' else 'unassigned' end,
      destination, amount, l.block_number, l.block_timestamp, l.transaction_hash, l.log_index
    from vault_claim l
    join sponsored_vault using (vault_id)
    join vault_charge c on c.vault_id = l.vault_id and c.task_id = l.task_id
    left join own_contract own on own.address = destination
    where amount > 0

    -- An exit ends the charges of its epoch. Then it returns all that the vault counts but fees, and what others sent it.
    union all
    select c.id || ':' || m.kind || ':exit', m.kind, case when is_own_hook then task_id end, token,
      m.class, vault, 'vault', vault, m.amount, e.block_number, e.block_timestamp, e.transaction_hash, e.log_index
    from vault_event e
    join sponsored_vault using (vault_id)
    join vault_charge c on c.vault_id = e.vault_id and c.epoch = (e.args->>'epoch')::numeric - 1
    cross join lateral (
      values
        ('vault_released', 'vault_reserved', case when state = 'reserved' then gross else 0 end),
        ('vault_defaulted', 'vault_owed', credited - paid)
    ) as m(kind, class, amount)
    where e.name = 'Exited' and m.amount > 0
    union all
    select e.id || ':' || m.kind, m.kind, null, token, m.class, vault,
      case when own.address is null then 'wallet' when own.reserve = token then 'bonus_reserve' else 'unassigned' end,
      e.args->>'to', m.amount, e.block_number, e.block_timestamp, e.transaction_hash, e.log_index
    from vault_event e
    join sponsored_vault v using (vault_id)
    cross join lateral (
      -- Fees stay; no other total changes after an exit.
      select (e.args->>'returned')::numeric as returned, funded_total - withdrawn_total - claimed_total
        - coalesce((select sum(credited_fee) from vault_charge c where c.vault_id = v.vault_id), 0) as counted
    ) as at_exit
    cross join lateral (
      values
        ('vault_exited', 'vault', least(returned, counted)),
        ('excess_swept', 'unassigned', returned - least(returned, counted))
    ) as m(kind, class, amount)
    left join own_contract own on own.address = e.args->>'to'
    where e.name = 'Exited' and m.amount > 0
  )
select id, block_number, to_timestamp(block_timestamp) as at, transaction_hash as tx_hash, log_index,
  coalesce(asset, (select usdc from market_config)) as asset, kind,
  case from_class
    when 'wallet' then from_owner
    when 'service_fees' then from_class
    when 'bonus_reserve' then from_class
    else from_class || ':' || from_owner
  end as from_account,
  case to_class
    when 'wallet' then to_owner
    when 'service_fees' then to_class
    when 'bonus_reserve' then to_class
    else to_class || ':' || to_owner
  end as to_account,
  amount,
  -- A product is exact; a quotient would be rounded.
  trim_scale(amount * ('1e-' || case
    when coalesce(asset, (select usdc from market_config)) = (select usdc from market_config) then 6
    when asset = (select token from bonus_programme) then (select token_decimals from bonus_programme)
    else (select v.token_decimals from sponsored_vault v where v.token = asset limit 1)
  end)::numeric) as amount_units,
  task_id,
  (select i.selector from relayed_intent i where i.transaction_hash = movement.transaction_hash limit 1) as operation,
  from_class, from_owner, to_class, to_owner
from movement
