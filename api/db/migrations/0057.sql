-- Oldest data version: 1
-- Listed tasks as JSON, once a page has shown them: a page of tasks that are not in a process's memory is put together of these
-- instead of the rows of twelve tables (api/features/tasks/list/stored-fragments.queries.ts).
create table service.task_fragments (
  task_id text primary key,
  version text not null,
  shared text not null,
  valid_from bigint,
  valid_until bigint,
  hash text not null,
  body text not null
);

comment on table service.task_fragments is
  'Listed tasks as JSON, as pages show them. Made again whenever rows are missing: it may be emptied at any time.';
comment on column service.task_fragments.version is 'What the task''s own rows were when it was made.';
comment on column service.task_fragments.shared is
  'What all tasks depend on: the release, the copy of the database, the deployment of the indexer, and market-wide state.';
comment on column service.task_fragments.valid_from is 'The chain''s time from which on it is shown so, Unix seconds; null: ever.';
comment on column service.task_fragments.valid_until is 'The chain''s time until which it is shown so, Unix seconds; null: ever.';
comment on column service.task_fragments.hash is 'Of the body: tags of pages are made of these.';
