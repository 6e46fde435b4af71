import type { Queryable } from '../../db/client.ts'
import { taskAccess } from '../../read-model/task-access.ts'
import { taskRewards } from '../../read-model/task-rewards.ts'

/**
 * A text that is another when the rows behind the view of task `t` are: with the same `sharedVersion` and at the same
 * time of the chain, one text means one view. Each event of a task writes its row (`row_version`), so nothing else that
 * the indexer writes with it is looked at: awards, entries, verdicts, pitches, hooks. The rest changes without an event
 * of the task: the identities of both sides, the requester's published key, the drop, the password, the content of its
 * creation, and what vaults pay. A content that is there stays as it is (`sharedVersion`). Needs `versionTables`.
 */
export function taskVersion(sql: Queryable) {
  return sql`
    row(
      t.row_version, requester_agent.agent_id, worker_agent.agent_id, published.public_key, member.drop_id,
      ${hasOtherOrigin(sql)}, access.password_hash is not null, ${taskRewards(sql)}
    )::text`
}

/** What `taskVersion` reads beside task `t`, each joined by a key. */
export function versionTables(sql: Queryable) {
  return sql`
    left join agent requester_agent on requester_agent.address = t.requester
    left join agent worker_agent on worker_agent.address = coalesce(t.worker, t.primary_worker)
    left join service.published_keys published on published.wallet = t.requester
    left join service.task_drop_members member
      on member.requester = t.requester and member.created_content_hash = t.created_content_hash
    ${taskAccess(sql)}`
}

/** Of a task whose content was updated: whether that of its creation is there. */
function hasOtherOrigin(sql: Queryable) {
  return sql`
    case when t.created_content_hash <> t.content_hash then exists (
      select from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash
    ) end`
}
