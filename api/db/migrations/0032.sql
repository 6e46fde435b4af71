-- Processes that read from replicas are told when rows changed that are otherwise written once: from then on a replica
-- must have the change. Sent when the change is committed.

create or replace function service.count_content_change() returns trigger language plpgsql as $$
begin
  update service.content_changes set count = count + 1;
  notify content_changed;
  return null;
end $$;
