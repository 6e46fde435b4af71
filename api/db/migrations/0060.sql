-- Oldest data version: 1
-- The log of changes is told of an invitation at once: no block tells of it.
create or replace function service.reveal_to_viewer() returns trigger language plpgsql set search_path = service as $$
begin
  insert into event_reveals (requester, content_hash, viewer) values (new.requester, new.content_hash, new.viewer);
  perform pg_notify('event_reveals', '');
  return null;
end
$$;
