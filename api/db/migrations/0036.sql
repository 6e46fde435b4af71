-- How tags are compared, and how search splits words. One function each, for what is stored and for what is asked: the
-- table of words and tags and the stored contents are read by the same rules. None depends on a locale of the server.

-- Tags in any case are one tag: decomposition, Unicode's case folding (lower case, and the letters that fold to others),
-- composition. The same rule in TypeScript: `src/rules/fold-tag.ts`. One letter may become eighteen: what is too long for
-- an index is its hash.
create function service.folded_tag(tag text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  folded text;
begin
  -- ASCII: nearly every tag.
  if octet_length(tag) = length(tag) then
    return lower(tag collate "pg_c_utf8");
  end if;
  folded := lower(normalize(tag, nfkd) collate "pg_c_utf8");
  folded := translate(folded, U&'ς\0345ᲀᲁᲂᲃᲄᲅᲆᲇᲈ', 'σιвдосттъѣꙋ');
  folded := normalize(replace(replace(folded, 'ß', 'ss'), 'և', 'եւ'), nfkc);
  return case when octet_length(folded) <= 1000 then folded else md5(folded) end;
end $$;

create function service.folded_tags(tags text[]) returns text[]
  language plpgsql immutable strict parallel safe as $$
declare
  tag text;
  folded text[] := '{}';
begin
  foreach tag in array tags loop
    folded := folded || service.folded_tag(tag);
  end loop;
  return folded;
end $$;

-- The marks that end a word, as a bracket expression without its brackets.
create function service.word_marks() returns text
  language sql immutable parallel safe
  return $$!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~‐‑‒–—―‘’“”„…·•«»、。「」$$;

-- The words of a text as people read them: every mark ends one, and so does the `v` of a version.
-- `v2.14.3 of acme/widget-factory` is `v 2 14 3 of acme widget factory`.
create function service.spaced_words(words text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  return regexp_replace(
    regexp_replace(words collate "pg_c_utf8", '[' || service.word_marks() || ']', ' ', 'g'),
    '(^|\s)([vV])(?=[0-9])', '\1\2 ', 'g');
end $$;

-- The tokens of a text that have several words: URLs, paths, names of files, e-mail addresses, versions. Marks around them
-- are left out.
create function service.whole_tokens(words text) returns text[]
  language plpgsql immutable strict parallel safe as $$
declare
  marks constant text := service.word_marks();
  part text;
  tokens text[] := '{}';
begin
  if words collate "pg_c_utf8" !~ ('[' || marks || ']|\m[vV][0-9]') then
    return tokens;
  end if;
  foreach part in array regexp_split_to_array(words collate "pg_c_utf8", '[\s"]+') loop
    if part collate "pg_c_utf8" ~ ('[^' || marks || '][' || marks || ']+[^' || marks || ']|(^|[' || marks || '])[vV][0-9]') then
      part := regexp_replace(part collate "pg_c_utf8", '^[' || marks || ']+|[' || marks || ']+$', '', 'g');
      tokens := tokens || part;
    end if;
  end loop;
  return tokens;
end $$;

-- What stands for a whole token among words: letters alone, which no parser splits.
create function service.token_word(token text) returns text
  language sql immutable strict parallel safe
  return translate(left(md5(lower(token collate "pg_c_utf8")), 16), '0123456789', 'ghijklmnop');

-- What a task is found by: the words of its texts in their order, then its whole tokens.
create function service.search_vector(description text, tags text[]) returns tsvector
  language plpgsql immutable strict parallel safe as $$
declare
  words constant text := description || ' ' || service.joined_tags(tags);
  token text;
  found text := service.spaced_words(words);
begin
  foreach token in array service.whole_tokens(words) loop
    found := found || ' ' || service.token_word(token);
  end loop;
  return to_tsvector('english', found);
end $$;

-- A search in the syntax of `websearch_to_tsquery`: words, "phrases", -exclusions, or. A token of several words is found
-- as a whole, and where its words stand one after the other.
create function service.search_query(search text) returns tsquery
  language plpgsql immutable strict parallel safe as $$
declare
  piece text;
  place int := 0;
  part text;
  sign text;
  token text;
  tokens text[] := '{}';
  rewritten text := '';
  parts text[];
  phrase tsquery;
  found tsquery;
begin
  foreach piece in array string_to_array(search, '"') loop
    place := place + 1;
    if place % 2 = 0 then
      -- A phrase; one of a single token is the token.
      parts := service.whole_tokens(piece);
      token := parts[1];
      if cardinality(parts) = 1 and btrim(service.spaced_words(replace(piece, token, ''))) = '' then
        tokens := tokens || token;
        rewritten := rewritten || '"' || service.token_word(token) || '"';
      else
        rewritten := rewritten || '"' || service.spaced_words(piece) || '"';
      end if;
    else
      parts := '{}';
      foreach part in array regexp_split_to_array(piece, '\s+') loop
        token := (service.whole_tokens(part))[1];
        sign := case when left(part, 1) = '-' then '-' else '' end;
        if token is not null then
          tokens := tokens || token;
          part := service.token_word(token);
        else
          -- Texts are stored without these, and the parser would take `/x` for a file.
          part := regexp_replace(part collate "pg_c_utf8", '^[' || service.word_marks() || ']+', '');
        end if;
        parts := parts || (sign || part);
      end loop;
      rewritten := rewritten || array_to_string(parts, ' ');
    end if;
  end loop;
  found := websearch_to_tsquery('english', rewritten);
  foreach token in array tokens loop
    phrase := phraseto_tsquery('english', service.spaced_words(token));
    if numnode(phrase) > 0 then
      found := ts_rewrite(
        found, to_tsquery('english', service.token_word(token)),
        to_tsquery('english', service.token_word(token)) || phrase);
    end if;
  end loop;
  return found;
end $$;

-- What is stored already is computed again by these statements.
alter table service.task_content alter column search set expression as (service.search_vector(description, tags));
alter table service.task_content add column folded_tags text[] not null
  generated always as (service.folded_tags(tags)) stored;
drop index service.task_content_tags;
create index task_content_tags on service.task_content using gin (folded_tags);

-- The table of words and tags is filled anew.
delete from service.task_search_state;
truncate service.task_search, service.task_search_tentative;
alter table service.task_search add column folded_tags text[] not null
  generated always as (service.folded_tags(tags)) stored;
drop index service.task_search_tags;
create index task_search_tags on service.task_search using gin (folded_tags);

alter table service.tag_texts add column folded text not null generated always as (service.folded_tag(text)) stored;
drop index service.tag_texts_lower;
create index tag_texts_folded on service.tag_texts (folded);
