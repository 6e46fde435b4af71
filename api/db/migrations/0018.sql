-- The sweep of files. It takes a row first (`swept_at`), which nothing undoes: no write can bind such a file any more.
-- Then it removes the bytes (`emptied_at`). A retention later it removes them once more, in case somebody was still
-- writing when they went, and then the row. So no bytes are ever without a row.

alter table service.uploads
  add column swept_at timestamptz,
  add column emptied_at timestamptz,
  add constraint uploads_swept_first check (emptied_at is null or swept_at is not null);
create index uploads_unswept on service.uploads (created_at) where swept_at is null;
create index uploads_submitted on service.uploads (intent_id) where intent_id is not null;
create index uploads_to_empty on service.uploads (id) where swept_at is not null and emptied_at is null;
create index uploads_to_forget on service.uploads (emptied_at) where emptied_at is not null;

alter table service.stored_files
  add column swept_at timestamptz,
  add column emptied_at timestamptz,
  add constraint stored_files_swept_first check (emptied_at is null or swept_at is not null);
drop index service.stored_files_created;
create index stored_files_unbound on service.stored_files (created_at) where intent_id is null and swept_at is null;
create index stored_files_intent on service.stored_files (intent_id) where intent_id is not null;
create index stored_files_to_empty on service.stored_files (id) where swept_at is not null and emptied_at is null;
create index stored_files_to_forget on service.stored_files (emptied_at) where emptied_at is not null;

-- Failed writes that had files.
create index intents_failed_submissions on service.intents (status_at)
  where status = 'failed' and operation like 'submissions.%';
