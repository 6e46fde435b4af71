import type { Queryable } from '../../db/client.ts'
import { taskAccess } from '../../read-model/task-access.ts'
import { taskRewards } from '../../read-model/task-rewards.ts'

/**
 * Returns an expression whose text changes with the rows behind the view of task `t`: with the same `sharedVersion` and
 * chain time, one text means one view. Each event of a task writes its row (`row_version`), which covers the indexer's
 * other rows: awards, entries, verdicts, pitches, hooks. Other parts change without an event: the identities of both
 * sides, the requester's published key, the drop, the password, the content of its creation, and the rewards of vaults.
 * Stored content never changes (`sharedVersion`). Needs `versionTables`.
 */
export function taskVersion(sql: Queryable) {
  return sql`
    row(
      t.row_version, t.event_count, requester_agent.agent_id, worker_agent.agent_id, published.public_key, member.drop_id,
      ${hasOtherOrigin(sql)}, access.password_hash is not null, ${taskRewards(sql)}
    )::text`
}

/** Returns the joins of `taskVersion` besides task `t`, each by a key. */
export function versionTables(sql: Queryable) {
  return sql`
    left join agent requester_agent on requester_agent.address = t.requester
    left join agent worker_agent on worker_agent.address = coalesce(t.worker, t.primary_worker)
    left join service.published_keys published on published.wallet = t.requester
    left join service.task_drop_members member
      on member.requester = t.requester and member.created_content_hash = t.created_content_hash
    ${taskAccess(sql)}`
}

/** Returns, for a task with updated content, whether the content of its creation is stored. */
function hasOtherOrigin(sql: Queryable) {
  return sql`
    case when t.created_content_hash <> t.content_hash then exists (
      select from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash
    ) end`
}
