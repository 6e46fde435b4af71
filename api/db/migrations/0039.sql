-- Letters and marks that are one for a reader are one for search: the Turkish i with and without its dot in either case,
-- and every form of the apostrophe. Folded before words are split, in what is stored and in what is asked.
create function service.folded_words(words text) returns text
  language sql immutable strict parallel safe
  return replace(translate(replace(words, U&'I\0307', 'i'), U&'\0130\0131\2018\2019\201b\02bc\ff07', 'ii'''''''''''), U&'i\0307', 'i');

alter function service.search_vector(text, text[]) rename to vector_of_folded;
create function service.search_vector(description text, tags text[]) returns tsvector
  language plpgsql immutable strict parallel safe as $$
begin
  return service.vector_of_folded(
    service.folded_words(description), array(select service.folded_words(tag) from unnest(tags) as tag));
end $$;

alter function service.search_query(text) rename to query_of_folded;
create function service.search_query(search text) returns tsquery
  language plpgsql immutable strict parallel safe as $$
begin
  return service.query_of_folded(service.folded_words(search));
end $$;

-- What is stored already is computed again.
alter table service.task_content alter column search set expression as (service.search_vector(description, tags));
delete from service.task_search_state;
truncate service.task_search, service.task_search_tentative;
