-- What a wallet asks of payments in its name: a payment proves money, not intent (docs/security.md).

-- One row a wallet that sent a proven payment or a signed switch; without one nothing is asked.
create table service.wallet_consents (
  -- Lower case.
  wallet text primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- Whether a paid write of this wallet must name its request.
  is_required boolean not null,
  -- The signed switch in force: its timestamp, Unix seconds. Null while a proven payment alone made the row.
  switched_at bigint,
  -- The paid write whose proof made the row; null when a switch made it.
  intent_id uuid references service.intents (id),
  updated_at timestamptz not null default now(),
  check (switched_at is not null or (is_required and intent_id is not null))
);

-- Signatures that stood in a transaction that came to nothing.
create index intents_failed_signed on service.intents (initiator, operation) where status = 'failed' and leg = 'signed';
