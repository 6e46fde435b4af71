-- Oldest data version: 1
-- The oldest data version (api/db/data-version.ts) of a service that may run on the tables after the migration. Releases
-- before this column write none.
alter table service.migrations add column oldest_version integer not null default 1;
