-- Oldest data version: 1
-- The texts of the views of `analytics`, which a switch of deployments writes as comments when it makes the views again.
alter table service.analytics_views add column texts text not null default '{}';

comment on column service.analytics_views.texts is 'Of the view and its columns, as JSON (api/db/analytics/<name>.json).';

-- Makes the views again, as the version before, and writes their comments.
create or replace function service.make_analytics() returns setof text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made record;
  texts jsonb;
  shown record;
begin
  perform service.drop_analytics();
  if to_regnamespace('analytics') is null then
    if not has_database_privilege(current_database(), 'CREATE') then
      return next 'analytics is left out: the schema is missing, which ops/database/logins.sql creates';
      return;
    end if;
    create schema analytics;
  end if;
  for made in select * from service.analytics_views order by position loop
    begin
      execute format(
        'create view analytics.%I with (security_barrier = %s) as %s', made.name, made.hides_rows::text, made.query
      );
      texts := made.texts::jsonb;
      execute format('comment on view analytics.%I is %L', made.name, texts ->> 'about');
      for shown in
        select attname as name from pg_attribute where attrelid = to_regclass(format('analytics.%I', made.name)) and attnum > 0
      loop
        execute format(
          'comment on column analytics.%I.%I is %L', made.name, shown.name, texts -> 'columns' ->> shown.name::text
        );
      end loop;
    exception when syntax_error_or_access_rule_violation then
      return next format('analytics.%s is left out: %s', made.name, sqlerrm);
    end;
  end loop;
end
$$;
