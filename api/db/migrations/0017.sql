-- One row a file that a worker asked to upload. The bytes go to storage under `id`, area `uploads`; what the service
-- found when it read them stands beside the version of the object it read.
create table service.uploads (
  id uuid primary key,
  task_id text not null,
  worker text not null,
  -- Who asked, by a keyed hash of the address.
  client text not null,
  file_name text not null,
  mime_type text not null,
  role text not null check (role in ('preview', 'source', 'final', 'attachment')),
  size_bytes bigint not null check (size_bytes > 0),
  created_at timestamptz not null default now(),
  -- Until when the URL takes the bytes.
  expires_at timestamptz not null,
  -- A request is receiving them, and says so again before this. One at a time: what many begin at once is not counted.
  receiving_until timestamptz,
  version text,
  sha256_hash text,
  keccak256_hash text,
  -- The write that used it up; null: not submitted. An upload is submitted once.
  intent_id uuid references service.intents (id)
);
-- What a client has asked for today, for whichever worker.
create index uploads_client on service.uploads (client, created_at);
create index uploads_created on service.uploads (created_at);

-- One row an object in storage, area `artifacts`, written before its bytes: what was never bound to a write, or to one
-- that failed, is found here and removed.
create table service.stored_files (
  id uuid primary key,
  created_at timestamptz not null default now(),
  -- The write that committed to it; null: none did.
  intent_id uuid references service.intents (id)
);
create index stored_files_created on service.stored_files (created_at);
-- The files of submissions made before there was this table.
insert into service.stored_files (id, created_at, intent_id)
select f.id, f.created_at, c.intent_id
from service.artifacts f
join service.submission_content c using (task_id, worker, deliverable);
