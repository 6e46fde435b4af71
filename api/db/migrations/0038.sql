-- Bytes that clients store, whichever way they come. One row an upload, under its id, or one for all files in the body of
-- a submission. Its client, its worker and the worker's part of a task have an account each, which is the sum of these
-- rows; one rule reads them (api/artifacts/byte-accounts.ts). A row counts no more when its write fails.
create table service.byte_charges (
  id uuid primary key,
  -- Who sent them, by a keyed hash of the address; empty: before there was this table.
  client text not null,
  -- Null while the body arrives: no worker is proven yet.
  worker text,
  task_id text,
  -- The worker has signed or paid for the submission of these bytes. Only then do they count for requests of other clients.
  is_proven boolean not null default false,
  size_bytes bigint not null check (size_bytes >= 0),
  created_at timestamptz not null default now(),
  -- The submission that stores them; null: none yet, and the row is deleted after a day.
  intent_id uuid references service.intents (id),
  check ((worker is null) = (task_id is null)),
  check (worker is not null or not is_proven)
);
create index byte_charges_client on service.byte_charges (client, created_at);
create index byte_charges_worker on service.byte_charges (worker, task_id, created_at) where worker is not null;
create index byte_charges_unused on service.byte_charges (created_at) where intent_id is null;
create index byte_charges_intent on service.byte_charges (intent_id) where intent_id is not null;

insert into service.byte_charges (id, client, worker, task_id, size_bytes, created_at)
select id, client, worker, task_id, size_bytes, created_at from service.uploads
where intent_id is null and swept_at is null;
insert into service.byte_charges (id, client, worker, task_id, is_proven, size_bytes, created_at, intent_id)
select f.id, '', f.worker, f.task_id, true, f.size_bytes, f.created_at, c.intent_id
from service.artifacts f
join service.submission_content c using (task_id, worker, deliverable);
