-- Rows that the ledger makes movements of: about one of each kind in every block up to `ledger.blocks`. Half of them, or a
-- quarter, are of one account; the others are spread over five hundred.
--
-- 0x11.. creates tasks, pays for relays, sends tokens and funds vaults, 0x22.. is the fee account, 0x33.. a worker; of the
-- task 0xff.. are as many events as there are blocks, of the first vault half of the charges.

create function pg_temp.hash(kind text, number bigint) returns text language sql immutable
  return '0x' || encode(sha256(convert_to(kind || number, 'UTF8')), 'hex');
create function pg_temp.wallet(number bigint) returns text language sql immutable
  return '0x' || left(encode(sha256(convert_to('wallet' || number % 500, 'UTF8')), 'hex'), 40);
create function pg_temp.repeated(digits text) returns text language sql immutable return '0x' || repeat(digits, 20);

create temporary table block as
select number, 1893456000 + 2 * number as at, pg_temp.hash('transaction', number) as transaction, pg_temp.hash('task', number) as task,
  pg_temp.wallet(number) as wallet,
  case when number % 4 = 0 then pg_temp.repeated('11') else pg_temp.wallet(number) end as payer,
  case when number % 4 = 0 then pg_temp.repeated('33') else pg_temp.wallet(number) end as worker
from generate_series(1, current_setting('ledger.blocks')::bigint) as number;

insert into market_config (id, market, forwarder, usdc, fee_bps, fee_recipient, default_hooks, paused, event_count)
values ('market', pg_temp.repeated('a1'), pg_temp.repeated('b2'), '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 0,
  pg_temp.repeated('22'), '{}', false, 0);
insert into bonus_programme (id, hook, market, token, token_decimals, started_at, epoch_seconds, token_per_usdc, bonus_bps,
  worker_split_bps, max_bonus_per_fee_bps, max_rate_drift_bps, global_usd_cap, worker_usd_cap, requester_usd_cap,
  task_usd_cap, global_token_cap, ramp_after_seconds, ramp_multiplier_bps, total_claimable, total_credited,
  total_withdrawn, total_funded, total_taken)
values ('bonus', pg_temp.repeated('b0'), pg_temp.repeated('a1'), pg_temp.repeated('b1'), 18, 0, 100, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, '{}', '{}', 1, 1, 1, 1, 1);

-- Another account had the fees of the first blocks.
insert into market_event (ordinal, contract, name, args, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
values
  (-2, 'market', 'FeeRecipientUpdated', json_build_object('recipient', pg_temp.repeated('44')), 0, 0, '0x', 0, 0),
  (-1, 'market', 'FeeRecipientUpdated', json_build_object('recipient', pg_temp.repeated('22')), 100, 0, '0x', 0, 0);
insert into market_event (ordinal, contract, name, args, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select number, 'market', 'CreditWithdrawn', json_build_object('account', payer, 'to', payer, 'amount', '5'), number, at, transaction, 0, 0
from block where number % 10 = 0;

insert into task_event (id, task_id, ordinal, name, subject, status_after, args, amount, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select task || ':' || ordinal, task, ordinal, name, subject, 'open', '{}'::json, amount, number, at, transaction, 0, ordinal
from block
cross join lateral (
  values (0, 'TaskCreated', payer, 1000000), (1, 'BidSubmitted', worker, null), (2, 'TaskExpired', payer, 1000000),
    (3, 'PayoutDeferred', payer, 10)
) as event(ordinal, name, subject, amount)
union all
select pg_temp.repeated('ff') || ':' || number, pg_temp.repeated('ff'), number, 'TaskUpdated', pg_temp.wallet(7), 'open', '{}'::json, 10,
  number, at, transaction, 0, 4
from block;

insert into award (id, task_id, worker, task_created_at_ms, rank, gross_amount, worker_payment, platform_fee, deliverable,
  self_award, settled_at, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select task || ':' || worker, task, worker, number, 1, 100, 92, 8, '0x', false, at, number, at, transaction, 0, 5 from block;

insert into relayed_intent (intent_id, actor, selector, amount, escrow_amount, prepaid, payment_nonce, task_id, block_number,
  block_timestamp, transaction_hash, transaction_index, log_index)
select pg_temp.hash('intent', number), payer, '0x12345678', paid * 1001000, paid * 1000000, number % 16 = 0,
  pg_temp.hash('nonce', number), task, number, at, transaction, 0, 6
from block
cross join lateral (select (number % 3 <> 0)::integer as paid) as relay;
insert into prepaid_refund
select number, payer, pg_temp.hash('nonce', number), 1, number, at, transaction, 0, 7 from block;
insert into arrival (id, token, contract, sender, amount, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select number, case when number % 3 = 0 then pg_temp.repeated('b1') else usdc end,
  (array[market, forwarder, pg_temp.repeated('b0')])[1 + number / 3 % 3], payer, 1, number, at, transaction, 0, 8
from block
cross join market_config;

insert into bonus_credit (id, task_id, rank, role, account, usd_bonus, usd_credited, token_per_usdc, share, multiplier_bps,
  credited, epoch, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select task || ':1:worker', task, 1, 'worker', worker, 0, 0, 0, 0, 0, 8, 0, number, at, transaction, 0, 9 from block;
insert into bonus_withdrawal (id, account, destination, amount, block_number, block_timestamp, transaction_hash,
  transaction_index, log_index)
select number, worker, worker, 5, number, at, transaction, 0, 10 from block;

insert into sponsored_vault (vault_id, vault, hook, owner, token, salt, epoch, available, reserved, owed, fees, fee_credit,
  funded_total, withdrawn_total, claimed_total, collected_total, event_count, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select pg_temp.hash('vault', number), left(pg_temp.hash('contract', number), 42), '0x55', wallet, usdc, '0x', 0, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, number, at, transaction, 0, 11
from block
cross join market_config
where number <= 20;
insert into vault_address select vault, vault_id from sponsored_vault;
insert into vault_charge (id, vault_id, task_id, hook, is_own_hook, manager, epoch, state, gross, net, fee, base, credited,
  credited_fee, released, paid, ended_at, ended_block, ended_transaction, ended_log_index, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select vault || ':' || task, vault, task, '0x55', number % 5 <> 0, wallet, 0, 'credited', 10, 9, 1, 9, 8, 1, 1, 4, at + 2, number + 1,
  transaction, 0, number, at, transaction, 0, 12
from block
cross join lateral (
  select pg_temp.hash('vault', case when number % 2 = 0 then 1 else 1 + number % 20 end) as vault
) as charged;
insert into vault_claim (id, vault_id, task_id, index, worker, destination, amount, nonce, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select charge.id || ':0', charge.vault_id, charge.task_id, 0, worker, worker, 4, 0, number, at, transaction, 0, 13
from block
join vault_charge charge on charge.block_number = number;
insert into vault_event (id, vault_id, ordinal, name, args, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select pg_temp.hash('vault', 1 + number % 20) || ':' || number, pg_temp.hash('vault', 1 + number % 20), number, 'Funded',
  json_build_object('from', payer, 'amount', '7'), number, at, transaction, 0, 14
from block;

drop table block;
analyze;
