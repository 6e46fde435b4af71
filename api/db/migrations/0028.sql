-- The identity that the service mints for the wallet of a signed device: at most one a wallet. The row is made in the
-- transaction that records the intent, and names another intent only after the earlier one has failed.
create table service.identity_mints (
  wallet text primary key,
  intent_id uuid not null unique,
  recorded_at timestamptz not null default now()
);
