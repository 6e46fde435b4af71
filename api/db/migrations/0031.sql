-- How often rows changed that are written once and never changed by the service: texts, passwords, drops and their
-- members. What a process keeps of them ends with the next count.

create table service.content_changes (
  -- One row.
  id boolean primary key default true check (id),
  count bigint not null default 0
);
insert into service.content_changes default values;

create function service.count_content_change() returns trigger language plpgsql as $$
begin
  update service.content_changes set count = count + 1;
  return null;
end $$;

create trigger content_changed after update or delete or truncate on service.task_content
  for each statement execute function service.count_content_change();
create trigger content_changed after update or delete or truncate on service.task_access
  for each statement execute function service.count_content_change();
create trigger content_changed after update or delete or truncate on service.task_drops
  for each statement execute function service.count_content_change();
create trigger content_changed after update or delete or truncate on service.task_drop_members
  for each statement execute function service.count_content_change();
