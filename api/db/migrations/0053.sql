-- Oldest data version: 1
-- A signed creation counts once, also after its webhook was deleted.
create table service.webhook_creations (
  digest bytea primary key,
  created_at timestamptz not null default now()
);
comment on table service.webhook_creations is 'Signed texts that have created a webhook, for a day: they are valid for minutes.';
comment on column service.webhook_creations.digest is 'SHA-256 of wallet, URL and time of the text.';
