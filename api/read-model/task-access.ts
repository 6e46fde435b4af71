import type { Queryable } from '../db/client.ts'

/**
 * Returns the SQL that joins, under the name `created`, the content that task `t` had at its creation. If the task's
 * content is replaced later, the visibility in `created` still applies. A task whose content is not stored counts as
 * unlisted.
 */
export function createdContent(sql: Queryable) {
  return sql`
    left join service.task_content created
      on created.requester = t.requester and created.content_hash = t.created_content_hash`
}

/**
 * Returns the SQL that joins the access settings of the task `t`, under the name `access`. Only private tasks have
 * access settings.
 */
export function taskAccess(sql: Queryable) {
  return sql`
    left join service.task_access access
      on access.requester = t.requester and access.content_hash = t.created_content_hash`
}

/**
 * Returns the SQL column with the invited wallets of a private task, at most 50. A statement with this column must also
 * join `createdContent`.
 */
export function viewersColumn(sql: Queryable) {
  return sql`
    case when created.task_visibility = 'private' then array(
      select viewer from service.task_viewers
      where requester = t.requester and content_hash = t.created_content_hash
    ) else '{}' end as viewers`
}

/**
 * Returns the SQL column with the workers of a private task: workers with an award, and the assigned worker. A
 * statement with this column must also join `createdContent`. See the interface specification, "Other rules".
 *
 * In a claim or auction, the assigned worker counts only if this service relayed the worker's claim, bid or acceptance
 * of the auction's price. A direct call on chain can bypass the invitations.
 */
export function participantsColumn(sql: Queryable) {
  return sql`
    case when created.task_visibility = 'private' then array(
      select worker from award where task_id = t.id
      union
      select worker from verdict_award where task_id = t.id
      union
      select t.worker
      where t.worker is not null and (t.mode not in ('claim', 'auction') or exists (${relayedEntry(sql)}))
    ) else '{}' end as participants`
}

/** Selects the relayed calls that can assign a worker: a claim, a bid, or the acceptance of an auction's price. */
function relayedEntry(sql: Queryable) {
  return sql`
    select from relayed_intent relayed
    join service.intents i on i.chain_intent_id = relayed.intent_id
    where relayed.actor = t.worker and i.initiator = t.worker and relayed.transaction_hash in (
      select transaction_hash from claim
      where t.mode = 'claim' and task_id = t.id and worker = t.worker and round = t.claim_round
      union all
      select transaction_hash from bid
      where t.mode = 'auction' and task_id = t.id and worker = t.worker
      union all
      select transaction_hash from task_event
      where t.mode = 'auction' and task_id = t.id and subject = t.worker and name = 'TaskWorkerSelected')`
}
