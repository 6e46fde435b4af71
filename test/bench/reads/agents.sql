-- Puts `bench.agents` agents in place of those that load.sql made, with identities and skills: a tenth only created
-- tasks, three in five have an identity, few have many awards, and of twenty common tags and five thousand rare ones
-- each has up to three. It runs after load.sql, on the same connection: keys are not asked row by row.

select setseed(0.17);
truncate agent;

insert into agent (address, agent_id, last_agent_id, completed_tasks, distinct_requesters, rated_tasks, rated_volume,
  total_stars, total_earnings, tasks_created, tasks_completed, self_awards, cancelled_after_submissions, expired_no_action,
  expired_after_rejections, stale_tasks, undelivered_auctions, submission_attempts, unique_workers, reputation, ranked)
select address, agent_id, agent_id, completed, least(completed, 40), rated, rated::bigint * 1000000, stars, completed::bigint * 4000000, 1,
  1, 0, 0, 0, 0, 0, 0, 0, 0, div((stars + 500) * 1e19, rated + 10), completed > 0 or agent_id is not null
from (
  select *, (rated * (40 + floor(random() * 60)))::integer as stars
  from (
    select *, (completed * 7 / 10)::integer as rated
    from (
      select pg_temp.address('worker', i - 1) as address, case when kind < 0.6 then i + 100 end as agent_id,
        case when kind < 0.9 then floor(power(random(), 6) * 2000)::integer else 0 end as completed
      from (select i, random() as kind from generate_series(1, current_setting('bench.agents')::integer) as i) as drawn
    ) as workers
  ) as awarded
) as rated_agents;

insert into identity (agent_id, id_grams, owner, registered_at, claimed_by, previous_owned_id, next_owned_id)
select agent_id, array(
    select distinct substr(agent_id::text, n, 3) from generate_series(1, length(agent_id::text) - 2) as n
  ), address, 0, address, null, null
from agent where agent_id is not null;

insert into service.tag_texts (text, hash)
select 'tag' || n, pg_temp.hash('tag text', n) from generate_series(0, 19) as n
union all select 'rare' || n, pg_temp.hash('rare text', n) from generate_series(0, 4999) as n;

insert into agent_skill (id, worker, tag_hash, task_count)
select address || ':' || tag_hash, address, tag_hash, 1 + floor(random() * completed_tasks)::integer
from (
  select address, completed_tasks, pg_temp.hash('tag text', pg_temp.skewed(20, 3)) as tag_hash from agent
  where completed_tasks > 0
) as tagged
on conflict (id) do nothing;

insert into agent_skill (id, worker, tag_hash, task_count)
select address || ':' || tag_hash, address, tag_hash, 1 + floor(random() * completed_tasks)::integer
from (
  select address, completed_tasks, pg_temp.hash('tag text', pg_temp.skewed(20, 2)) as tag_hash from agent
  where completed_tasks > 1
) as tagged
on conflict (id) do nothing;

insert into agent_skill (id, worker, tag_hash, task_count)
select address || ':' || tag_hash, address, tag_hash, 1 + floor(random() * completed_tasks)::integer
from (
  select address, completed_tasks, pg_temp.hash('rare text', pg_temp.skewed(5000, 1)) as tag_hash from agent
  where completed_tasks > 2
) as tagged
on conflict (id) do nothing;

insert into market_stats
select 'market', 0, 0, 0, 0, 0, 0, 0, count(*), count(*) * 4000000, 0, 0 from agent where ranked;
