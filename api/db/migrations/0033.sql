-- What public tasks are found by: their words and tags, narrow and in the order of creation. The list of tasks joins
-- texts and the indexer's rows; here the join is made once, for tasks of final blocks. A loop of the service fills it
-- (api/read-model/fill-task-search.ts); what it does not cover yet is read from the rows themselves. Decision 30.

create table service.task_search (
  task_id text primary key,
  created_at_ms bigint not null,
  content_hash text not null,
  tags text[] not null,
  search tsvector not null
);
create index task_search_created_at_ms on service.task_search (created_at_ms);
create index task_search_words on service.task_search using gin (search);
create index task_search_tags on service.task_search using gin (tags);

-- Up to where it is filled; no row: it is not.
create table service.task_search_state (
  -- One row.
  id boolean primary key default true check (id),
  -- The deployment of the indexer whose tasks it holds.
  schema_version text not null,
  -- Every task that was created until then.
  created_at_ms bigint not null,
  -- Every update of a task until this block; no block above it is older than the time, Unix seconds.
  block_number bigint not null,
  block_timestamp bigint not null,
  -- Whether it has reached the final blocks once.
  complete boolean not null
);

-- Texts that were stored since it was filled last: their task may be covered already. The texts of before stand behind
-- tasks that it will come to.
create table service.task_search_pending (
  requester text not null,
  content_hash text not null,
  primary key (requester, content_hash)
);

-- Tasks whose update was not final when it was filled last: a reorg may undo the update without a trace.
create table service.task_search_tentative (
  task_id text primary key
);

create function service.await_task_search() returns trigger language plpgsql as $$
begin
  insert into service.task_search_pending values (new.requester, new.content_hash) on conflict do nothing;
  return null;
end $$;
create trigger await_task_search after insert on service.task_content
  for each row when (new.task_visibility = 'public') execute function service.await_task_search();

-- An operator's correction of texts: all of it is filled anew.
create function service.reset_task_search() returns trigger language plpgsql as $$
begin
  delete from service.task_search_state;
  return null;
end $$;
create trigger reset_task_search after update or delete or truncate on service.task_content
  for each statement execute function service.reset_task_search();
