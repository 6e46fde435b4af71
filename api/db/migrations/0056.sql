-- Oldest data version: 3
-- Writes that are long done keep what the service answers about them, and nothing that relaying them took
-- (api/intents/fold-writes.queries.ts). What reads a whole table comes first, before the lock that keeps readers out.

-- A deliverable's hash is of one deliverable: task and worker told no others apart, and made two thirds of the index.
drop index service.artifacts_submission;
create index artifacts_deliverable on service.artifacts (deliverable);

create index intents_unfolded on service.intents (status_at) where status = 'completed' and not watched and calldata <> '0x';

-- A fifth of all writes ever made is too many dead rows to wait for.
alter table service.intents set (autovacuum_vacuum_scale_factor = 0.01);
alter table service.attempts set (autovacuum_vacuum_scale_factor = 0.01);

create function service.digest_of_payment(asset text, payer text, nonce text) returns uuid
  language sql immutable strict parallel safe
  return encode(substr(sha256(convert_to(asset || payer || nonce, 'UTF8')), 1, 16), 'hex')::uuid;

-- A signature that was presented before is recognized by it.
create function service.mark_of_signature(signature text) returns text
  language sql immutable strict parallel safe
  return '0x' || left(encode(sha256(convert_to(signature, 'UTF8')), 'hex'), 16);

alter table service.intents add column payment_digest uuid;
comment on column service.intents.payment_digest is
  'Of a folded write: stands for the asset, the payer and the nonce of the payment that funded it.';
create unique index intents_payment_digest on service.intents (payment_digest) where payment_digest is not null;
create index intents_folded_payer on service.intents (initiator) where payment_digest is not null;
