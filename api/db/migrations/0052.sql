-- Oldest data version: 1
-- Of many processes one compares the rows of a commit with the log; the others need to know that it was done.
alter table service.event_log add column rows_version text;
comment on column service.event_log.rows_version is
  'Commit of the indexer whose rows have been compared with the entries; null: not all of them were.';
