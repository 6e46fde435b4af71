-- Oldest data version: 1
-- What is to be revealed by the log of changes: the sealed bids of a task at their deadline, and all of a private task to
-- a wallet that is invited later.
create table service.event_reveals (
  id bigint generated always as identity primary key,
  due bigint not null default 0,
  task_id text,
  requester text,
  content_hash text,
  viewer text
);
create index event_reveals_due on service.event_reveals (due);

comment on table service.event_reveals is 'What the log of changes will say has become visible; a row goes with its entry.';
comment on column service.event_reveals.due is 'Time of the chain from which on, Unix seconds.';
comment on column service.event_reveals.task_id is 'The task whose bids are revealed to everyone.';
comment on column service.event_reveals.viewer is 'The wallet that is invited to the task of requester and content_hash.';

create function service.reveal_to_viewer() returns trigger language plpgsql set search_path = service as $$
begin
  insert into event_reveals (requester, content_hash, viewer) values (new.requester, new.content_hash, new.viewer);
  return null;
end
$$;
create trigger reveal_to_viewer after insert on service.task_viewers
  for each row execute function service.reveal_to_viewer();
