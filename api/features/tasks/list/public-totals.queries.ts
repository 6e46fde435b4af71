import type { Queryable } from '../../../db/client.ts'
import type { Boundary } from '../../../read-model/final-blocks.queries.ts'

/** The number of listed tasks, and the sum of their gross rewards in base units of USDC. */
export interface Totals {
  count: bigint
  totalRewards: bigint
}

/** The stored totals of all public tasks, as they were at a final block: a block that no reorg can revert. */
export interface StoredTotals extends Totals, Boundary {}

/** The indexer's deployment and newest block, with the totals that are stored for this deployment. */
export interface TotalsState {
  deployment: string
  /** The height of the newest indexed block, or null while rows may be missing. */
  head: bigint | null
  stored: StoredTotals | null
}

/**
 * Returns the state of the totals. The indexer's deployment is identified by a hash of the definition of the view
 * `task`. This definition contains the name of the deployment's table.
 */
export async function findTotalsState(sql: Queryable): Promise<TotalsState> {
  const rows = await sql<(Omit<TotalsState, 'stored'> & { [Key in keyof StoredTotals]: bigint | null })[]>`
    select present.deployment, head.block_number as head, stored.through_block as block, stored.through_time as time,
      stored.task_count as count, stored.total_rewards
    from (select coalesce(md5(pg_get_viewdef(to_regclass('task'))), 'tables') as deployment) as present
    left join lateral (select block_number from indexed_head where ready limit 1) as head on true
    left join service.public_totals stored on stored.deployment = present.deployment`
  const [row] = rows
  if (row === undefined) throw new Error('a row was asked for that always is')
  const { deployment, head, block, time, count, totalRewards } = row
  const isStored = block !== null && time !== null && count !== null && totalRewards !== null
  return { deployment, head, stored: isStored ? { block, time, count, totalRewards } : null }
}

/** Counts all public tasks that have a stored text, and adds their rewards. */
export async function countPublicTasks(sql: Queryable): Promise<Totals> {
  // A direct call of the contract can create a listed task whose text is not stored here. The service shows such a task
  // as unlisted, so the indexer's rows alone cannot give the count.
  const rows = await sql<Totals[]>`
    select count(*) as count, coalesce(sum(t.reward), 0) as total_rewards
    from task t
    join service.task_content c
      on c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public'
    where t.listed`
  return rows[0] ?? { count: 0n, totalRewards: 0n }
}

/**
 * Returns the change of the totals since a boundary (a final block). Tasks that were created after the boundary are
 * added. An older task may have been updated after the boundary. Then its present state is added, and its state at the
 * boundary is subtracted.
 */
export async function countChangeSince(sql: Queryable, { block, time }: Boundary): Promise<Totals> {
  // The state at the boundary is that of the latest update before the boundary. If the task was never updated before,
  // it is the state of the task's creation.
  const rows = await sql<Totals[]>`
    with updated as (
      select distinct on (task_id) task_id, ordinal
      from task_event
      where name = 'TaskUpdated' and block_timestamp >= ${time} and block_number > ${block}
      order by task_id, ordinal
    ), changed as (
      select 1 as sign, t.requester, t.content_hash, t.reward
      from task t
      where t.created_at_ms >= ${time * 1000n} and t.block_number > ${block} and t.listed
      union all
      select 1, t.requester, t.content_hash, t.reward
      from updated join task t on t.id = updated.task_id
      where t.block_number <= ${block} and t.listed
      union all
      select -1, t.requester, former.terms ->> 'contentHash', (former.terms ->> 'reward')::numeric
      from updated join task t on t.id = updated.task_id
      cross join lateral (
        select case e.name when 'TaskCreated' then e.args -> 'terms' else e.args end as terms
        from task_event e
        where e.task_id = t.id and e.ordinal < updated.ordinal and e.name in ('TaskCreated', 'TaskUpdated')
        order by e.ordinal desc
        limit 1) as former
      where t.block_number <= ${block} and t.listed
    )
    select coalesce(sum(sign), 0)::bigint as count, coalesce(sum(sign * reward), 0) as total_rewards
    from changed
    where exists (
      select from service.task_content c
      where c.requester = changed.requester and c.content_hash = changed.content_hash
        and c.task_visibility = 'public')`
  return rows[0] ?? { count: 0n, totalRewards: 0n }
}

/** Stores the totals at a final block, unless totals of a later block are stored already. */
export async function storeTotals(sql: Queryable, deployment: string, totals: StoredTotals): Promise<void> {
  const { block, time, count, totalRewards } = totals
  await sql`
    insert into service.public_totals as stored
      (deployment, through_block, through_time, task_count, total_rewards)
    values (${deployment}, ${block}, ${time}, ${count}, ${totalRewards.toString()}::numeric)
    on conflict (is_only_row) do update set
      deployment = excluded.deployment, through_block = excluded.through_block, through_time = excluded.through_time,
      task_count = excluded.task_count, total_rewards = excluded.total_rewards
    where stored.deployment <> excluded.deployment or stored.through_block < excluded.through_block`
}
