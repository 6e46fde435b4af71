-- Oldest data version: 1
-- The schema `analytics`: views for people, whose queries are files of the service (api/db/analytics). They are views of
-- those of `market`, so a switch of deployments drops them before it replaces these, and makes them again.
create table service.analytics_views (
  name text primary key,
  position integer not null unique,
  query text not null,
  hides_rows boolean not null,
  version integer not null
);

comment on table service.analytics_views is 'One row a view of the schema analytics.';
comment on column service.analytics_views.position is 'Of its creation: a view reads those before it.';
comment on column service.analytics_views.hides_rows is 'Its conditions hide rows: no function of a reader may see them.';
comment on column service.analytics_views.version is 'Of all views (api/db/analytics/views.ts): a release before leaves them.';

-- Drops the views. Until its end the transaction is the only one that drops or makes them.
create function service.drop_analytics() returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  names text;
begin
  lock table service.analytics_views in share row exclusive mode;
  select string_agg(format('analytics.%I', relname), ', ') into names
  from pg_class where relnamespace = to_regnamespace('analytics') and relkind = 'v';
  if names is not null then execute 'drop view ' || names; end if;
end
$$;

-- Makes the views again. One that does not fit the tables that are served is left out: a view for people keeps no deployment
-- from being served. Returns a sentence for each that is left out.
create function service.make_analytics() returns setof text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made record;
begin
  perform service.drop_analytics();
  if to_regnamespace('analytics') is null then
    if not has_database_privilege(current_database(), 'CREATE') then
      return next 'analytics is left out: the schema is missing, which ops/database/logins.sql creates';
      return;
    end if;
    create schema analytics;
  end if;
  for made in select name, query, hides_rows from service.analytics_views order by position loop
    begin
      execute format(
        'create view analytics.%I with (security_barrier = %s) as %s', made.name, made.hides_rows::text, made.query
      );
    exception when syntax_error_or_access_rule_violation then
      return next format('analytics.%s is left out: %s', made.name, sqlerrm);
    end;
  end loop;
end
$$;

-- The indexer calls them, and no other login; ops/database/logins.sql grants the same to a login that is created later.
revoke all on function service.drop_analytics(), service.make_analytics() from public;
do $$
begin
  if to_regrole('market_indexer') is not null then
    grant execute on function service.drop_analytics(), service.make_analytics() to market_indexer;
  end if;
end
$$;
