-- What never goes on chain: intents of relayed writes, their transactions, and the texts and files behind hashes.
-- Amounts are USDC base units, addresses and hashes lower-case 0x hex.

create schema if not exists service;

-- One row a relayed write. `reserved` rows hold a key and nothing else; `bind` fills the rest in one transaction and
-- moves them to `recorded`: the caller's point of no return.
create table service.intents (
  id uuid primary key,
  idempotency_key uuid not null unique,
  operation text not null,
  fingerprint bytea not null,
  status text not null default 'reserved'
    check (status in ('reserved', 'recorded', 'broadcast', 'completed', 'failed', 'held')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz,

  -- The relay, as bound. `chain_intent_id` is what the forwarder consumes: the uuid's bytes, right-padded.
  leg text check (leg in ('paid', 'prepaid', 'signed', 'open')),
  chain_intent_id text unique,
  initiator text,
  target text,
  calldata text,
  escrow_amount numeric(78, 0),
  actor_signature text,
  suffix text,
  payment_asset text,
  payment_nonce text,
  payment_value numeric(78, 0),
  payment_valid_after numeric(78, 0),
  payment_valid_before numeric(78, 0),
  payment_signature text,
  -- Facts the result is computed from besides the logs.
  facts jsonb,
  -- Head of the chain when the intent was bound: nothing about it is older.
  bound_at_block bigint,
  -- The relay leaves the intent alone until then, after a step that could not be finished.
  relay_after timestamptz not null default now(),

  -- The outcome.
  tx_hash text,
  block_number bigint,
  block_hash text,
  task_id text,
  -- Not jsonb: the fields of an answer keep their order.
  result json,
  terminal_reason text,
  failure text,
  refund_status text check (refund_status in ('pending', 'refunding', 'refunded', 'failed')),
  refund_tx_hash text,
  -- False once the block of the outcome is safe: until then a reorg can send the same bytes again.
  watched boolean not null default true,
  -- False once a failed write's authorization was found unused after its end: until then somebody may submit it.
  payment_watched boolean not null default true,

  constraint bound_when_recorded check (status = 'reserved' or (leg is not null and calldata is not null)),
  constraint expiring_while_reserved check ((status = 'reserved') = (expires_at is not null))
);

-- The rule behind `payment_already_spent`: one authorization funds one intent.
create unique index intents_payment on service.intents (payment_asset, initiator, payment_nonce)
  where payment_nonce is not null;
create index intents_outbox on service.intents (created_at) where status = 'recorded';
create index intents_broadcast on service.intents (created_at) where status = 'broadcast';
create index intents_watched on service.intents (block_number)
  where status in ('completed', 'failed') and watched and block_number is not null;
create index intents_refunds on service.intents (created_at) where refund_status in ('pending', 'refunding');
create index intents_unused_payments on service.intents (payment_valid_before)
  where status = 'failed' and refund_status is null and payment_watched;
create index intents_expiring on service.intents (expires_at) where status = 'reserved';
create index intents_tx on service.intents (tx_hash) where tx_hash is not null;

-- Every change of status is told: `service_outbox` wakes the relay, `service_intents` whoever waits for an answer.
create function service.announce_intent() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  if new.status = 'recorded' then
    perform pg_notify('service_outbox', new.id::text);
  elsif new.status in ('completed', 'failed', 'held') then
    perform pg_notify('service_intents', new.id::text);
  end if;
  return new;
end
$$;
-- A refund waits in the same outbox.
create function service.announce_refund() returns trigger language plpgsql as $$
begin
  if new.refund_status = 'pending' then perform pg_notify('service_outbox', new.id::text); end if;
  return null;
end
$$;
create trigger refunds_announced after update of refund_status on service.intents
  for each row execute function service.announce_refund();
create trigger intents_announced before update of status on service.intents
  for each row execute function service.announce_intent();

-- One row a relayer key: its next nonce. Taken under the row's lock, in the transaction that stores the signed bytes.
create table service.relayers (
  address text primary key,
  next_nonce bigint not null
);

-- One row a signed transaction; a replacement of the same nonce is another row. Never deleted: any of them may mine.
-- `leg` says what it does: a leg of the forwarder, `refund`, or `noop` (frees the nonce of a call that can no longer act).
create table service.attempts (
  id bigint generated always as identity primary key,
  intent_id uuid references service.intents (id),
  relayer text not null references service.relayers (address),
  nonce bigint not null,
  hash text not null unique,
  raw text not null,
  leg text not null check (leg in ('paid', 'prepaid', 'signed', 'open', 'refund', 'noop')),
  gas_limit bigint not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index attempts_intent on service.attempts (intent_id);
create index attempts_lane on service.attempts (relayer, nonce);

-- The text behind a task's contentHash. Joined by (requester, hash); the hashed document carries a random salt, so a
-- hash names one write. `document` is the exact hashed bytes.
create table service.task_content (
  requester text not null,
  content_hash text not null,
  intent_id uuid not null references service.intents (id),
  document text not null,
  description text not null,
  tags text[] not null,
  task_visibility text not null check (task_visibility in ('public', 'unlisted', 'private')),
  submission_visibility text not null check (submission_visibility in ('public', 'reveal_all', 'winner_only', 'never')),
  metric_description text,
  metric_target text,
  created_at timestamptz not null default now(),
  primary key (requester, content_hash)
);
create index task_content_tags on service.task_content using gin (tags);

-- The manifest behind a deliverable. Joined by (task, worker, hash). `manifest` is the exact hashed bytes.
create table service.submission_content (
  task_id text not null,
  worker text not null,
  deliverable text not null,
  intent_id uuid not null references service.intents (id),
  manifest text not null,
  signature text not null,
  created_at timestamptz not null default now(),
  primary key (task_id, worker, deliverable)
);

-- One row a delivered file. Its bytes are in artifact storage under `id`.
create table service.artifacts (
  id uuid primary key,
  task_id text not null,
  worker text not null,
  deliverable text not null,
  role text not null check (role in ('preview', 'source', 'final', 'attachment')),
  file_name text not null,
  mime_type text not null,
  media_kind text not null,
  size_bytes bigint not null,
  sha256_hash text not null,
  keccak256_hash text not null,
  display_order integer not null,
  text_preview text,
  created_at timestamptz not null default now(),
  foreign key (task_id, worker, deliverable) references service.submission_content (task_id, worker, deliverable)
);
create index artifacts_submission on service.artifacts (task_id, worker, deliverable, display_order);

-- The feedback file behind a rating's feedbackHash. Joined by (task, worker, hash). `body` is the exact hashed bytes.
create table service.feedback_content (
  task_id text not null,
  worker text not null,
  feedback_hash text not null,
  intent_id uuid not null references service.intents (id),
  body text not null,
  feedback_text text not null,
  created_at timestamptz not null default now(),
  primary key (task_id, worker, feedback_hash)
);
