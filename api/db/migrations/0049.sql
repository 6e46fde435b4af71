-- Oldest data version: 1
-- The log of changes (api/events): what the indexer's rows say that happened, in the order of blocks, with ids that rise.
-- It is made of the rows, and can be made again.
create table service.events (
  sequence bigint primary key,
  kind text not null,
  source text,
  block_number bigint not null,
  block_timestamp bigint not null,
  transaction_hash text,
  log_index integer,
  task_id text,
  resource text,
  worker text,
  addresses text[] not null,
  data json not null,
  is_reverted boolean not null default false
);
create index events_block on service.events (block_number, sequence);
create index events_task on service.events (task_id, sequence) where task_id is not null;
create index events_kind on service.events (kind, sequence);

create table service.event_parties (
  address text not null,
  sequence bigint not null references service.events on delete cascade,
  is_private boolean not null,
  primary key (address, sequence)
);
create index event_parties_sequence on service.event_parties (sequence);

create table service.event_log (
  is_one boolean primary key default true check (is_one),
  epoch text not null,
  origin text not null,
  head bigint not null,
  head_time bigint not null,
  final_block bigint not null,
  final_time bigint not null,
  last_sequence bigint not null
);

comment on table service.events is 'Entries of the log of changes.';
comment on column service.events.sequence is 'Rises with every entry; the later part of its id.';
comment on column service.events.kind is 'One of the kinds of docs/events.md.';
comment on column service.events.source is
  'Table and id of the row of the indexer that it was made from, such as task_event:0x…:3; null: made from entries.';
comment on column service.events.task_id is 'The task; null: of none, and public.';
comment on column service.events.resource is 'By which part of the access policy it is shown; null with task_id.';
comment on column service.events.worker is 'Whose row of the task it is, which submission visibility and sealed bids depend on.';
comment on column service.events.addresses is 'Accounts that it names, lower case.';
comment on column service.events.data is 'Its fields as they are shown.';
comment on column service.events.is_reverted is 'A reorg took its row away, or moved it; a later entry says so.';
comment on table service.event_parties is 'Whom an entry concerns: what the log is read by for an address.';
comment on column service.event_parties.is_private is 'Nothing public says that it concerns the address: it is found by the address itself only.';
comment on table service.event_log is 'One row: how far the log is.';
comment on column service.event_log.epoch is 'The earlier part of ids. Another one makes all ids of before unknown.';
comment on column service.event_log.origin is 'Run of the server, run of the indexer and deployment that the entries were made in.';
comment on column service.event_log.head is 'Block up to which the rows are in the log.';
comment on column service.event_log.final_block is 'Entries up to this block never change.';
