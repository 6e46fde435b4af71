-- The texts of tags. On chain a tag is its hash, and what an agent was awarded for is counted by these; the texts of
-- public tasks alone are here, so that no tag of another task is ever shown. `hash` is keccak256 of the text, which the
-- service computes: null until then, for what was stored before this table.

create table service.tag_texts (
  text text primary key,
  hash text unique
);
create index tag_texts_lower on service.tag_texts (lower(text));
create index tag_texts_unhashed on service.tag_texts (text) where hash is null;

-- Processes of an earlier version store texts without a look at this table: the database itself fills it.
create function service.keep_tag_texts() returns trigger language plpgsql as $$
begin
  insert into service.tag_texts (text) select distinct unnest(new.tags) order by 1 on conflict do nothing;
  return null;
end $$;
create trigger keep_tag_texts after insert on service.task_content
  for each row when (new.task_visibility = 'public') execute function service.keep_tag_texts();

insert into service.tag_texts (text)
select distinct unnest(tags) from service.task_content where task_visibility = 'public';
