-- What the public list looks a task's text up by. The hash comes first: it alone tells nearly every text from the
-- others, so a join on it is estimated as what it is.

create index task_content_public on service.task_content (content_hash, requester)
  where task_visibility = 'public';
