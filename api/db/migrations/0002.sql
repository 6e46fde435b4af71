-- Full-text search over what a task says about itself. The expression of a generated column must be immutable, which
-- array_to_string is not in general (it is for text).

create function service.joined_tags(tags text[]) returns text
  language sql immutable strict parallel safe
  return array_to_string(tags, ' ');

alter table service.task_content add column search tsvector not null
  generated always as (to_tsvector('english', description || ' ' || service.joined_tags(tags))) stored;

create index task_content_search on service.task_content using gin (search);
