-- A snapshot that is older than the state does not see the state, and would leave the table as it is: texts that were made
-- private would still be found. Read committed sees it at each statement.
create or replace function service.reset_task_search() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'texts are corrected at the isolation level read committed, which sees what is filled meanwhile'
      using errcode = 'active_sql_transaction';
  end if;
  delete from service.task_search_state;
  return null;
end $$;
