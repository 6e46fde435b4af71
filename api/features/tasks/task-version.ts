import type { Queryable } from '../../db/client.ts'
import { taskAccess } from '../../read-model/task-access.ts'
import { taskRewards } from '../../read-model/task-rewards.ts'

/**
 * Returns an SQL expression whose text changes whenever a row changes from which the public form of task `t` is built.
 * With the same `sharedVersion` and the same block time, an equal text means an equal public form. Every event of a
 * task writes the task's row (`row_version`), so this column covers the indexer's other rows: awards, entries,
 * verdicts, pitches, hooks. Some parts change without an event and are included: the agent ids of requester and worker,
 * the requester's published key, the drop, the password, the content of the creation, and the rewards of vaults. Stored
 * content never changes; `sharedVersion` covers removed content. The statement must also contain `versionTables`.
 */
export function taskVersion(sql: Queryable) {
  return sql`
    row(
      t.row_version, t.event_count, requester_agent.agent_id, worker_agent.agent_id, published.public_key, member.drop_id,
      ${hasOtherOrigin(sql)}, access.password_hash is not null, ${taskRewards(sql)}
    )::text`
}

/** Returns the SQL joins that `taskVersion` needs in addition to task `t`. Each join is by a key. */
export function versionTables(sql: Queryable) {
  return sql`
    left join agent requester_agent on requester_agent.address = t.requester
    left join agent worker_agent on worker_agent.address = coalesce(t.worker, t.primary_worker)
    left join service.published_keys published on published.wallet = t.requester
    left join service.task_drop_members member
      on member.requester = t.requester and member.created_content_hash = t.created_content_hash
    ${taskAccess(sql)}`
}

/**
 * Returns the SQL of a boolean: true if the content of a task's creation is stored, false if it is not stored. The
 * value is null if the content was not updated since the creation.
 */
function hasOtherOrigin(sql: Queryable) {
  return sql`
    case when t.created_content_hash <> t.content_hash then exists (
      select from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash
    ) end`
}
