-- Oldest data version: 1
-- Subscriptions to the log of changes that the service posts entries to (api/events/webhooks). A subscription is a place in
-- the log, so that it costs one row however many entries it gets.
create table service.webhooks (
  id uuid primary key,
  wallet text not null,
  client text not null,
  url text not null,
  host text not null,
  kinds text[],
  task_id text,
  filters json,
  sealed_secret bytea not null,
  sealed_earlier_secret bytea,
  earlier_until timestamptz,
  status text not null default 'unverified' check (status in ('unverified', 'active', 'paused')),
  position bigint not null,
  attempts integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz not null default now(),
  last_status integer,
  last_error text,
  paused_at timestamptz,
  deliveries bigint not null default 0,
  lease uuid,
  lease_until timestamptz not null default '-infinity',
  signed_at bigint not null,
  created_at timestamptz not null default now()
);

create table service.webhook_deliveries (
  webhook_id uuid not null references service.webhooks on delete cascade,
  slot integer not null,
  number bigint not null,
  message_id text not null,
  kind text not null,
  attempt integer not null,
  sent_at timestamptz not null default now(),
  status integer,
  error text,
  latency_ms integer not null,
  primary key (webhook_id, slot)
);

comment on table service.webhooks is 'Subscriptions of wallets to the log of changes, each with the URL that gets the entries.';
comment on column service.webhooks.wallet is 'Who created it, lower case: it gets the entries that this wallet may see.';
comment on column service.webhooks.client is 'Name of the network client that created it; its address cannot be computed from it without the secret.';
comment on column service.webhooks.host is 'Host and port of the URL: one connection at a time.';
comment on column service.webhooks.kinds is 'Kinds that it gets; null: all.';
comment on column service.webhooks.task_id is 'Entries of this task alone.';
comment on column service.webhooks.filters is 'Conditions on tasks as they were sent; null with task_id: entries that concern the wallet.';
comment on column service.webhooks.sealed_secret is 'Key of the signatures, sealed (docs/webhooks.md).';
comment on column service.webhooks.sealed_earlier_secret is 'The one before it, which also signs until earlier_until.';
comment on column service.webhooks.position is 'Sequence of the last entry that was delivered or passed over.';
comment on column service.webhooks.attempts is 'Attempts since the last one that was answered 2xx.';
comment on column service.webhooks.deliveries is 'Attempts in all: numbers of webhook_deliveries.';
comment on column service.webhooks.lease is 'Of the process that delivers now; it counts until lease_until.';
comment on column service.webhooks.signed_at is 'Time of the last signed change that must not be repeated, Unix seconds.';
comment on table service.webhook_deliveries is 'The newest 50 attempts of each subscription.';
comment on column service.webhook_deliveries.slot is 'Number modulo 50: an attempt takes the place of an old one.';
comment on column service.webhook_deliveries.message_id is 'Its webhook-id header.';
comment on column service.webhook_deliveries.status is 'Of the answer; null: there was none.';
