-- Oldest data version: 1
-- What is told to the operator's webhook (api/events/operator): states that hold now, and messages about their begin and end.
create table service.operator_states (
  kind text not null,
  subject text not null,
  occurrence uuid not null default gen_random_uuid(),
  began_at timestamptz not null default now(),
  data jsonb not null,
  primary key (kind, subject)
);
comment on table service.operator_states is 'States that an operator was told of, or is to be, and that hold still.';
comment on column service.operator_states.kind is 'relayer.balance_low, intent.held or books.differ.';
comment on column service.operator_states.subject is 'The relayer, the intent or the sum of the books.';
comment on column service.operator_states.occurrence is 'Of this time: the messages about its begin and its end have it.';
comment on column service.operator_states.data is 'The facts of its begin.';

create table service.operator_messages (
  sequence bigint generated always as identity primary key,
  id text not null unique,
  body jsonb not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  attempts integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz not null default now(),
  last_error text
);
comment on table service.operator_messages is 'Messages to the operator''s webhook, in their order, for 30 days.';
comment on column service.operator_messages.id is 'The header webhook-id: the same when it is sent again.';
comment on column service.operator_messages.ended_at is 'When it was answered 2xx, or given up after a day; null: it is to be sent.';

create table service.operator_webhook (
  is_one boolean primary key default true check (is_one),
  lease uuid,
  lease_until timestamptz not null default now()
);
insert into service.operator_webhook default values;
comment on table service.operator_webhook is 'The lease of the process that tells the operator: one row.';
