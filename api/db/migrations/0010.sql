-- The contracts that the intents of this database were made for. A process that speaks to others would take them for
-- writes that never happened.
create table service.deployment (
  is_only_row boolean primary key default true check (is_only_row),
  chain_id bigint not null,
  forwarder text not null check (forwarder ~ '^0x[0-9a-f]{40}$'),
  since timestamptz not null default now()
);
comment on table service.deployment is 'One row, written by the first process that starts on this database.';
