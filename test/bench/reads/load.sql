-- Fills the tables of the read model and of the service with `bench.tasks` tasks and what belongs to them, the same
-- rows each time. Half a year of a market: what is recent is mostly open, what is old is mostly over, a few requesters
-- and workers have much of it, many rewards are round. Of the newest fiftieth most are unlisted or private, and some
-- tasks that ask on chain to be listed have no text here.
--
-- `bench.now` is the time all of it is told from, Unix seconds. Keys and checks of the service's tables hold; they are
-- not asked row by row.

set session_replication_role = replica;
select setseed(0.42);

create function pg_temp.hash(kind text, number bigint) returns text language sql immutable
  return '0x' || encode(sha256(convert_to(kind || number, 'UTF8')), 'hex');
create function pg_temp.address(kind text, number bigint) returns text language sql immutable
  return '0x' || left(encode(sha256(convert_to(kind || number, 'UTF8')), 'hex'), 40);
-- One of `range` numbers, small ones often.
create function pg_temp.skewed(range integer, skew float8) returns bigint language sql volatile
  return floor(range * power(random(), skew))::bigint;
-- A word of 4096 that the search does not take apart; and one of them, small numbers often.
create function pg_temp.word(number bigint) returns text language sql immutable
  return 'q' || translate(lpad(to_hex(number), 3, '0'), '0123456789abcdef', 'bdfghjklmnprstvz') || 'ox';

create temporary table made as
with drawn as (
  select i, size, now_s,
    now_s - ((size - i) * (15552000.0 / size))::bigint as created_at,
    ceil(3600 * power(10, random() * 3.3))::bigint as duration,
    random() as mode_draw, random() as status_draw, random() as visibility_draw, random() as reward_draw,
    random() as evaluator_draw, random() as hook_draw, random() as type_draw,
    pg_temp.skewed(greatest(size / 50, 10), 3) as requester_number,
    pg_temp.skewed(greatest(size / 20, 10), 3) as worker_number
  from (select current_setting('bench.tasks')::integer as size, current_setting('bench.now')::bigint as now_s) as given,
    generate_series(1, size) as i
), modes as (
  select *, created_at + duration as expiry_time,
    case when mode_draw < 0.45 then 'bounty' when mode_draw < 0.65 then 'claim' when mode_draw < 0.77 then 'pitch'
      when mode_draw < 0.85 then 'benchmark' else 'auction' end as mode
  from drawn
), statuses as (
  select *, mode in ('bounty', 'benchmark') as is_contest,
    case when status_draw < 0.03 then 'disputed' when status_draw < 0.06 then 'appealing'
      when status_draw < 0.12 then case when mode in ('bounty', 'benchmark') then 'appealing' else 'review' end
      when status_draw < 0.17 then case when mode in ('bounty', 'benchmark') then 'open' else 'pending_approval' end
      when expiry_time <= now_s and status_draw < 0.62 or expiry_time > now_s and status_draw < 0.30 then 'completed'
      when expiry_time <= now_s and status_draw < 0.76 then 'expired'
      when expiry_time <= now_s and status_draw < 0.86 or expiry_time > now_s and status_draw < 0.35 then 'cancelled'
      when status_draw < 0.88 or mode in ('bounty', 'benchmark') then 'open'
      when mode = 'pitch' then 'worker_selected' else 'claimed' end as status
  from modes
)
select *, pg_temp.hash('task', i) as id, pg_temp.address('requester', requester_number) as requester,
  pg_temp.hash('content', i) as content_hash,
  case when mode = 'auction' then
    case when type_draw < 0.45 then 'english' when type_draw < 0.7 then 'reverse_english' when type_draw < 0.95 then 'dutch'
      else 'reverse_dutch' end end as auction_type,
  case when reward_draw < 0.5 then (array[1, 2, 5, 10, 20, 50, 100])[1 + floor(reward_draw * 14)::integer] * 1000000::bigint
    else 1000 + floor(power(reward_draw * 2 - 1, 4) * 500000000)::bigint end as reward,
  case when status in ('claimed', 'worker_selected', 'pending_approval', 'review')
      or (status in ('completed', 'appealing', 'disputed') and not is_contest)
    then pg_temp.address('worker', worker_number) end as worker,
  (status in ('review', 'appealing', 'disputed') or evaluator_draw < 0.03) as has_evaluator,
  case when visibility_draw < 0.04 then 'none'
    when i > size - size / 50 and visibility_draw < 0.75 or visibility_draw < 0.15 then
      case when visibility_draw < 0.09 or visibility_draw > 0.5 then 'private' else 'unlisted' end
    else 'public' end as visibility
from statuses;
create unique index on made (i);

insert into task (id, reference_code, requester, mode, status, reward, escrow, stake, platform_fee_bps, stake_bps,
  content_hash, created_content_hash, tag_hashes, listed, nonce, created_at_ms, created_at, expiry_time, pitch_deadline,
  bid_deadline, auction_type, clock_price, worker, worker_assigned_at, price, deliverable, objected, lowest_bid,
  lowest_bidder, evaluator, dispute_resolver, evaluator_deadline, appeal_deadline, resolution_deadline, hook_set,
  hook_data_hash, submission_count, active_submission_count, submitter_count, pitch_count, bid_count, bidder_count, proof_count,
  award_count, primary_worker, unrated_awards, self_award, claim_round, ended_at, last_entry_id, event_count, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select id, 'TSK-' || upper(substr(id, 3, 12)), requester, mode, status, reward,
  case when status in ('completed', 'expired', 'cancelled') then 0 else reward end, 0, 750,
  case when mode = 'claim' and hook_draw < 0.3 then 500 else 0 end,
  content_hash, content_hash, array[pg_temp.hash('tag', i % 20)],
  visibility = 'public' or (visibility = 'none' and i % 2 = 0), i,
  created_at * 1000 + i % 1000, created_at, expiry_time,
  case when mode = 'pitch' then expiry_time end, case when mode = 'auction' then created_at + duration / 2 end,
  auction_type, case when auction_type in ('dutch', 'reverse_dutch') then reward / 2 end,
  worker, case when worker is not null then created_at + 600 end, case when worker is not null then reward end,
  case when worker is not null and status not in ('claimed', 'worker_selected') then pg_temp.hash('deliverable', i) end,
  false, case when auction_type like '%english' then reward * 4 / 5 end,
  case when auction_type like '%english' then pg_temp.address('worker', worker_number) end,
  case when has_evaluator then pg_temp.address('evaluator', i % 50) end,
  case when has_evaluator and i % 2 = 0 then pg_temp.address('resolver', i % 20) end,
  case when status = 'review' then expiry_time + 86400 end,
  case when status in ('appealing', 'disputed') then expiry_time + 86400 end,
  case when status = 'disputed' then expiry_time + 172800 end,
  case when hook_draw < 0.3 then pg_temp.hash('hooks', i % 12) end, case when hook_draw < 0.3 then pg_temp.hash('data', i) end,
  case when status in ('completed', 'pending_approval', 'review', 'appealing', 'disputed') or (is_contest and status = 'open' and i % 3 = 0) then 1 else 0 end,
  case when status in ('completed', 'pending_approval', 'review', 'appealing', 'disputed') or (is_contest and status = 'open' and i % 3 = 0) then 1 else 0 end,
  0, case when mode = 'pitch' then i % 5 else 0 end, case when auction_type like '%english' then 2 else 0 end, case when auction_type like '%english' then 2 else 0 end, 0,
  case when status = 'completed' then 1 + (is_contest and i % 8 = 0)::integer else 0 end,
  case when status = 'completed' then coalesce(worker, pg_temp.address('worker', worker_number)) end,
  case when status = 'completed' and i % 10 >= 7 then 1 + (is_contest and i % 8 = 0)::integer else 0 end,
  case when status = 'completed' then false end, 0,
  case when status in ('completed', 'expired', 'cancelled') then least(expiry_time, now_s) end, null, 3,
  i, created_at, pg_temp.hash('transaction', i), 0, 0
from made;

insert into reference_code select reference_code, 'task', id from task;

insert into award (id, task_id, worker, task_created_at_ms, rank, gross_amount, worker_payment, platform_fee, deliverable, self_award,
  settled_at, rating, rated_at, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select id || ':' || winner, id, winner, created_at * 1000 + i % 1000, rank, reward / awards, reward / awards * 37 / 40, reward / awards * 3 / 40,
  pg_temp.hash('deliverable', i * rank), false, expiry_time,
  case when i % 10 < 7 then i % 101 end, case when i % 10 < 7 then expiry_time end,
  i, created_at, pg_temp.hash('settlement', i), 0, rank
from (
  select m.*, rank, 1 + (is_contest and m.i % 8 = 0)::integer as awards,
    case when rank = 1 then coalesce(worker, pg_temp.address('worker', worker_number))
      else pg_temp.address('second', worker_number) end as winner
  from made m, generate_series(1, 2) as rank
  where status = 'completed' and (rank = 1 or is_contest and m.i % 8 = 0)
) as won;

insert into task_entry (id, task_id, worker, submission_count, active_submission_count, rejected, awarded, rated,
  pitched, bid, last_submission_id, task_created_at_ms, running, listed, previous_entry_id)
select id || ':' || entrant, id, entrant, 1, 1, false, status = 'completed', false, mode = 'pitch', null,
  pg_temp.hash('submission', i), created_at * 1000 + i % 1000, status not in ('completed', 'expired', 'cancelled'),
  visibility = 'public' or (visibility = 'none' and i % 2 = 0), null
from (
  select *, coalesce(worker, pg_temp.address('worker', worker_number)) as entrant from made
  where status in ('completed', 'pending_approval', 'review', 'appealing', 'disputed')
    or (is_contest and status = 'open' and i % 3 = 0)
) as entered;

insert into submission (id, reference_code, task_id, worker, deliverable, submission_index, submitted_at, rejected_at,
  previous_id, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select last_submission_id, 'SUB-' || upper(substr(last_submission_id, 3, 12)), task_id, e.worker,
  pg_temp.hash('deliverable', m.i), 0, m.created_at + 900, null, null, m.i, m.created_at, pg_temp.hash('delivery', m.i), 0, 0
from task_entry e join made m on m.id = e.task_id;

insert into evaluation (task_id, evaluator, dispute_resolver, fee_bps, evaluation_window, appeal_window, assigned_at,
  verdict, score, confidence, evidence_hash, fee, verdict_at, appellant, appealed_at, resolution, resolved_at,
  finalized_at, timed_out_at, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select id, pg_temp.address('evaluator', i % 50), case when i % 2 = 0 then pg_temp.address('resolver', i % 20) end, 500, 86400,
  86400, created_at, case when status in ('appealing', 'disputed', 'completed') then 'approve' end, 900, 900,
  pg_temp.hash('evidence', i), reward / 20, expiry_time, null, null, null, null, null, null,
  i, created_at, pg_temp.hash('transaction', i), 0, 1
from made where has_evaluator;

insert into bid (id, task_id, worker, price, bid_number, placed_count, placed_at, bid_deadline, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select pg_temp.hash('bid', i * 3 + number), id, pg_temp.address('worker', worker_number + number),
  reward * (10 - number) / 10, number, 1, created_at + number, created_at + duration / 2, i, created_at, pg_temp.hash('bid tx', i * 3 + number), 0, 0
from made, generate_series(1, 2) as number where auction_type like '%english';

insert into hook_set
select pg_temp.hash('hooks', i), array[pg_temp.address('hook', 0), pg_temp.address('hook', i)], 1, 1, 1, pg_temp.hash('transaction', i), 0, 0
from generate_series(0, 11) as i;

insert into agent (address, agent_id, last_agent_id, completed_tasks, distinct_requesters, rated_tasks, rated_volume,
  total_stars, total_earnings, tasks_created, tasks_completed, self_awards, cancelled_after_submissions, expired_no_action,
  expired_after_rejections, stale_tasks, undelivered_auctions, submission_attempts, unique_workers, reputation, ranked)
select address, case when ordinal % 3 = 0 then ordinal end, case when ordinal % 3 = 0 then ordinal end,
  ordinal % 100, ordinal % 40, ordinal % 80, ordinal % 80 * 1000000, ordinal % 80 * 70, ordinal * 1000000, 1, 1, 0, 0, 0, 0, 0, 0,
  0, 0, div((ordinal % 80 * 70 + 500) * 1e19, ordinal % 80 + 10), ordinal % 100 > 0 or ordinal % 3 = 0
from (
  select address, row_number() over (order by address) as ordinal
  from (select requester as address from task union select worker from award union select worker from task where worker is not null) as known
) as counted;

insert into market_config values ('market', pg_temp.address('contract', 0), pg_temp.address('contract', 1),
  pg_temp.address('contract', 2), 750, null, null, null, '{}', false, 0);
-- The books were compared at the newest block: the movements of a task are served up to it.
update service.audits set compared_at = now(), state = jsonb_build_object('block', current_setting('bench.tasks')::bigint + 14,
  'timestamp', current_setting('bench.now'), 'assets', '[]'::jsonb, 'differences', '[]'::jsonb, 'suspects', '[]'::jsonb,
  'unread', '{}'::jsonb)
where part = 'sums';
-- The fifty newest tasks are of the last 64 blocks, which are not final.
insert into indexed_head values (current_setting('bench.tasks')::bigint + 14, current_setting('bench.now')::bigint,
  repeat('0', 75), true, '1');
-- Of the events only what tells the times of the newest blocks.
insert into task_event (id, task_id, ordinal, name, subject, status_after, args, block_number, block_timestamp,
  transaction_hash, transaction_index, log_index)
select id || ':0', id, 0, 'TaskCreated', requester, 'open', '{}', i, created_at, pg_temp.hash('transaction', i), 0, 0
from made order by i desc limit 200;

insert into service.intents (id, idempotency_key, operation, fingerprint, status, kind, relay_mode, calldata)
values ('00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000', 'tasks.create', '', 'completed',
  'market', 'paid', '0x');

-- Twenty common tags, and five thousand rare ones.
insert into service.task_content (requester, content_hash, intent_id, document, description, tags, task_visibility,
  submission_visibility, metric_description, metric_target)
select requester, content_hash, '00000000-0000-4000-8000-000000000000', '{"salt":"' || content_hash || '"}',
  'Deliver ' || pg_temp.word(pg_temp.skewed(4096, 3)) || ' and ' || pg_temp.word(pg_temp.skewed(4096, 3)) || ' for '
    || pg_temp.word(pg_temp.skewed(4096, 3)) || E'\n\n' || 'The work is done when ' || pg_temp.word(pg_temp.skewed(4096, 2))
    || ' agrees with ' || pg_temp.word(pg_temp.skewed(4096, 2)) || ', ' || pg_temp.word(pg_temp.skewed(4096, 2))
    || ' was translated to ' || pg_temp.word(pg_temp.skewed(4096, 1)) || ', and a report of '
    || pg_temp.word(pg_temp.skewed(4096, 1)) || ' with ' || pg_temp.word(pg_temp.skewed(4096, 1))
    || ' is attached. Please write ' || pg_temp.word(pg_temp.skewed(4096, 1)) || ' in plain words, name every source and '
    || 'keep to the template of the last order.',
  case i % 5 when 0 then '{}' when 1 then array['tag' || pg_temp.skewed(20, 3)]
    when 2 then array['tag' || pg_temp.skewed(20, 3), 'rare' || pg_temp.skewed(5000, 1)]
    else array['tag' || pg_temp.skewed(10, 2), 'tag' || 10 + pg_temp.skewed(10, 2), 'rare' || pg_temp.skewed(5000, 1)] end,
  visibility, case i % 10 when 0 then 'never' when 1 then 'winner_only' when 2 then 'reveal_all' else 'public' end,
  case when mode = 'benchmark' then 'Pages a second' end, case when mode = 'benchmark' then '100' end
from made where visibility <> 'none';

insert into service.submission_content (task_id, worker, deliverable, intent_id, manifest, signature)
select task_id, worker, deliverable, '00000000-0000-4000-8000-000000000000', '{"salt":"' || id || '"}', '0x'
from submission where task_id in (select id from made where i % 10 = 0);

-- Contests that hundreds entered, the first with exactly 585 deliverables; each of three files.
create temporary table crowded as
select id, i, case when row_number() over (order by i desc) = 1 then 585 else 200 + i % 200 end as entries
from made where mode = 'bounty' and status = 'open' and expiry_time > now_s and visibility = 'public' and not has_evaluator
order by i desc limit 5;
delete from submission where task_id in (select id from crowded);
delete from task_entry where task_id in (select id from crowded);
insert into submission (id, reference_code, task_id, worker, deliverable, submission_index, submitted_at, rejected_at,
  previous_id, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
select pg_temp.hash('crowd', i * 1000 + n), 'SUB-' || upper(substr(pg_temp.hash('crowd', i * 1000 + n), 3, 12)), id,
  pg_temp.address('worker', n), pg_temp.hash('crowd work', i * 1000 + n), n, current_setting('bench.now')::bigint - 600 + n,
  null, null, i, current_setting('bench.now')::bigint - 600 + n, pg_temp.hash('crowd tx', i * 1000 + n), 0, 0
from crowded, generate_series(0, entries - 1) as n;
insert into task_entry
select task_id || ':' || submission.worker, task_id, submission.worker, 1, 1, false, false, false, false, null, submission.id,
  task.created_at_ms, true, true, null
from submission join task on task.id = task_id where task_id in (select id from crowded);
insert into service.submission_content
select task_id, worker, deliverable, '00000000-0000-4000-8000-000000000000', '{"salt":"' || id || '"}', '0x'
from submission where task_id in (select id from crowded);
insert into service.artifacts (id, task_id, worker, deliverable, role, file_name, mime_type, media_kind, size_bytes,
  sha256_hash, keccak256_hash, display_order, text_preview)
select substr(pg_temp.hash('file', n), 3, 32)::uuid, task_id, worker, deliverable,
  case n % 3 when 0 then 'final' else 'attachment' end, 'work-' || n || '.txt', 'text/plain', 'text', 1000 + n,
  substr(pg_temp.hash('bytes', n), 3), pg_temp.hash('bytes', n), n % 3, 'The first lines of file ' || n
from (select s.*, row_number() over () * 3 + file as n from submission s, generate_series(0, 2) as file
  where task_id in (select id from crowded)) as files;
update task set submission_count = entries, active_submission_count = entries, submitter_count = entries
from crowded where crowded.id = task.id;

drop table made, crowded;
