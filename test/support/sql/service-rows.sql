-- Fills the tables of the service whose indexes are tested, beside the tasks and texts of test/bench/reads/load.sql.
-- Each table is large, and the rows that an index was made for are few of it. Keys are not asked row by row.

set session_replication_role = replica;

create function pg_temp.id(number bigint) returns uuid language sql immutable
  return ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid;
create function pg_temp.address(number bigint) returns text language sql immutable
  return '0x' || lpad(to_hex(number), 40, '0');
create function pg_temp.hash(number bigint) returns text language sql immutable
  return '0x' || lpad(to_hex(number), 64, '0');

-- Of a thousand 23 are not done, each of another kind. The last hundred are reservations, to which no row refers.
insert into service.intents (id, idempotency_key, operation, fingerprint, status, expires_at, created_at, updated_at, status_at,
  kind, relay_mode, actor_signature, chain_intent_id, initiator, calldata, suffix, payment_asset, payment_nonce, payment_value, payment_valid_before,
  relay_class, relay_after, tx_hash, block_number, block_hash, watched, payment_watched, refund_status, refund_block_number,
  refund_block_hash, refund_watched, undone_block, undone_position, target, escrow_amount, facts,
  bound_at_block, payment_valid_after, payment_signature)
select pg_temp.id(i), pg_temp.id(i),
  case when i % 20 = 7 then 'wallet.withdraw' when i % 3 = 0 then 'submissions.create' else 'tasks.create' end, '', status,
  case when status = 'reserved' then made_at end, made_at, made_at, made_at,
  case when i % 20 = 7 then 'transfer' else 'market' end,
  case when i % 20 = 7 then null when i % 3 = 0 then 'signed' else 'paid' end, case when i % 3 = 0 then '0x' end,
  pg_temp.hash(i), pg_temp.address(i % 2000),
  '0x00000000' || substr(pg_temp.hash(i), 3), ':' || i, pg_temp.address(i % 2),
  case when i % 3 <> 0 then pg_temp.hash(i) end, 1000, extract(epoch from made_at)::bigint,
  case when kind = 1 then 'foreign' else 'plain' end, made_at, pg_temp.hash(i),
  case when status in ('completed', 'failed') then i end, case when status in ('completed', 'failed') then pg_temp.hash(i) end,
  kind in (5, 6, 7), kind in (7, 8),
  case kind when 9 then 'pending' when 10 then 'refunding' when 11 then 'failed' else case when i % 50 = 0 then 'refunded' end end,
  case when i % 50 = 0 then i end, case when i % 50 = 0 then pg_temp.hash(i) end, kind = 50,
  case when kind = 12 then i end, case when kind = 12 then 0 end, pg_temp.address(3), 0, '{}', i, 0, '0x'
from (
  select i, i % 1000 as kind, now() - i * interval '1 minute' as made_at,
    case when i > 20000 then 'reserved' when i % 1000 < 2 then 'recorded' when i % 1000 = 2 then 'broadcast'
      when i % 1000 = 3 then 'held' when i % 1000 between 6 and 22 then 'failed' else 'completed' end as status
  from generate_series(1, 20100) as i
) as kinds;

-- Folded ones.
update service.intents set payment_digest = id, payment_asset = null, payment_nonce = null
where status = 'completed' and relay_mode = 'paid' and block_number % 2 = 0;

insert into market.relayed_intent
select pg_temp.hash(i), pg_temp.address(i % 2000), '0x00000000', 0, 0, false, pg_temp.hash(i), null, i, i, pg_temp.hash(i), 0, 0
from generate_series(1, 20000) as i where i % 1000 not between 6 and 22;

insert into service.relayers values (pg_temp.address(1), 20001);
insert into service.attempts
  (intent_id, relayer, nonce, hash, raw, purpose, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, created_at)
select pg_temp.id(i), pg_temp.address(1), i, pg_temp.hash(i), '0x', 'call', 1, 1, 1, now() - i * interval '1 hour' from generate_series(1, 20000) as i;

insert into service.feedback_content (task_id, worker, feedback_hash, intent_id, body, feedback_text)
select pg_temp.hash(i), pg_temp.address(i), pg_temp.hash(i), pg_temp.id(i), '{}', '' from generate_series(1, 20000) as i;
insert into service.pitch_content (intent_id, pitch_id, task_id, worker, pitch_text)
select pg_temp.id(i), pg_temp.hash(i), pg_temp.hash(i), pg_temp.address(i), '' from generate_series(1, 20000) as i;
insert into service.proof_content (intent_id, proof_id, task_id, worker, proof_data)
select pg_temp.id(i), pg_temp.hash(i), pg_temp.hash(i), pg_temp.address(i), '' from generate_series(1, 20000) as i;

insert into service.task_access (requester, content_hash, intent_id)
select pg_temp.address(i), pg_temp.hash(i), pg_temp.id(i) from generate_series(1, 20000) as i;
insert into service.task_viewers (requester, content_hash, viewer, added_by)
select pg_temp.address(i), pg_temp.hash(i), pg_temp.address(i % 5000), pg_temp.address(i) from generate_series(1, 20000) as i;
insert into service.task_drops (id, owner, intent_id, name, created_at)
select 'drop-' || i, pg_temp.address(i), pg_temp.id(i), '', now() from generate_series(1, 2000) as i;
insert into service.task_drop_members (requester, created_content_hash, drop_id, intent_id, task_visibility)
select pg_temp.address(i), pg_temp.hash(i), 'drop-' || i % 2000, pg_temp.id(i), 'public' from generate_series(1, 20000) as i;
insert into service.wallet_consents (wallet, is_required, intent_id)
select pg_temp.address(i), true, pg_temp.id(i) from generate_series(1, 20000) as i;

-- Most are swept and their bytes are deleted, an hour ago.
insert into service.uploads (id, task_id, worker, client, file_name, mime_type, role, size_bytes, created_at, expires_at,
  intent_id, swept_at, emptied_at)
select pg_temp.id(i), pg_temp.hash(i), pg_temp.address(i), 'client ' || i % 2000, '', '', 'final', 1,
  now() - i * interval '1 minute', now() - i * interval '1 minute' + interval '1 hour',
  case when i % 100 = 1 then pg_temp.id(i) end, case when i % 100 > 1 then now() end,
  case when i % 100 > 2 then now() - case when i % 100 = 3 then interval '3 days' else interval '1 hour' end end
from generate_series(1, 20000) as i;
-- Most are a write's.
insert into service.stored_files (id, created_at, intent_id, swept_at, emptied_at)
select pg_temp.id(i), now() - i * interval '1 minute', case when i % 100 > 3 then pg_temp.id(i) end,
  case when i % 100 in (2, 3) then now() end, case when i % 100 = 3 then now() - i * interval '1 minute' end
from generate_series(1, 20000) as i;
insert into service.byte_charges (id, client, worker, task_id, is_proven, size_bytes, created_at, intent_id)
select pg_temp.id(i), 'client ' || i % 2000, pg_temp.address(i % 1000), pg_temp.hash(i), true, 1,
  now() - i * interval '1 minute', case when i % 100 > 0 then pg_temp.id(i) end
from generate_series(1, 20000) as i;

insert into service.budgets (name, client, used, ends_at)
select 'reads', 'client ' || i, 1, now() + (i - 100) * interval '1 minute' from generate_series(1, 20000) as i;
insert into service.legal_challenges (nonce, wallet, bundle_digest, message, issued_at, expires_at)
select pg_temp.id(i), pg_temp.address(i), '', '', now(), now() - interval '1 day' + (i - 100) * interval '1 minute'
from generate_series(1, 20000) as i;
insert into service.devices (id, wallet, token_hash, sealed_key, is_verified)
select pg_temp.id(i), pg_temp.address(i), sha256('token'), '', false from generate_series(1, 20000) as i;
insert into service.withdrawal_address_changes (wallet, address, kind)
select pg_temp.address(i % 5000), pg_temp.address(i), 'changed' from generate_series(1, 20000) as i;
insert into service.tag_texts (text, hash)
select 'Tag ' || i, case when i % 100 > 0 then pg_temp.hash(i) end from generate_series(1, 20000) as i;
insert into service.keeper_calls (vault_id, task_id, step, is_approved, intent_id, claimed_at)
select pg_temp.hash(i % 100), pg_temp.hash(i), 'settle', true, pg_temp.id(i), now() - i * interval '2 minutes'
from generate_series(1, 20000) as i;

set session_replication_role = origin;

-- The log of changes: few of a kind, and few of a task.
insert into service.events (sequence, kind, source, block_number, block_timestamp, transaction_hash, log_index, task_id, resource,
  addresses, data)
select n, case when n % 2000 = 0 then 'vault.exited' else 'task.created' end, 'task_event:' || n, n / 4, 1893456000 + n / 4,
  '0x' || lpad(to_hex(n), 64, '0'), n % 4, '0x' || lpad(to_hex(n / 5), 64, '0'), 'task', '{}', '{}'
from generate_series(1, 20000) as n;
insert into service.event_parties (address, sequence, is_private)
select '0x' || lpad(to_hex(n / 5), 40, '0'), n, false from generate_series(1, 20000) as n;
insert into service.event_reveals (due, task_id)
select 2000000000 + n, '0x' || lpad(to_hex(n), 64, '0') from generate_series(1, 20000) as n;
