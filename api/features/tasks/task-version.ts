import type { Queryable } from '../../db/client.ts'
import { taskAccess } from '../../read-model/task-access.ts'
import { taskRewards } from '../../read-model/task-rewards.ts'

/**
 * Returns an SQL expression for the version of the public form of task `t`. Equal versions mean equal public forms, if
 * `sharedVersion` and the block time are also equal. The statement must also contain `versionTables`.
 */
export function taskVersion(sql: Queryable) {
  // Every event of a task writes `row_version`, so it covers the indexer's rows: awards, entries, verdicts, pitches,
  // hooks. The remaining parts can change without an event. Stored content never changes, and `sharedVersion` covers
  // its removal.
  return sql`
    row(
      t.row_version, t.event_count, requester_agent.agent_id, worker_agent.agent_id, published.public_key, member.drop_id,
      ${hasOtherOrigin(sql)}, access.password_hash is not null, ${taskRewards(sql)}
    )::text`
}

/**
 * Returns the SQL joins that `taskVersion` needs in addition to task `t`. Each join compares a unique key, so each task
 * remains one row.
 */
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
 * Returns an SQL expression that tells whether the first content of task `t` (the content at its creation) was
 * replaced. Null: no update has replaced the first content. True: an update has replaced the first content, and the
 * service still stores the first content. False: an update has replaced the first content, and the service does not
 * store the first content.
 */
function hasOtherOrigin(sql: Queryable) {
  return sql`
    case when t.created_content_hash <> t.content_hash then exists (
      select from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash
    ) end`
}
