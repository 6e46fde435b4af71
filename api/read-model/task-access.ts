import type { Queryable } from '../db/client.ts'

/**
 * Joins the content of task `t`'s creation, as `created`. Visibilities never change, so they are those of the creation,
 * even after a direct call with another hash. Without content a task counts as unlisted.
 */
export function createdContent(sql: Queryable) {
  return sql`
    left join service.task_content created
      on created.requester = t.requester and created.content_hash = t.created_content_hash`
}

/** Joins the access to task `t`, as `access`: a row for private tasks only. */
export function taskAccess(sql: Queryable) {
  return sql`
    left join service.task_access access
      on access.requester = t.requester and access.content_hash = t.created_content_hash`
}

/** Selects the invited wallets of a private task, at most 50; needs `createdContent`. */
export function viewersColumn(sql: Queryable) {
  return sql`
    case when created.task_visibility = 'private' then array(
      select viewer from service.task_viewers
      where requester = t.requester and content_hash = t.created_content_hash
    ) else '{}' end as viewers`
}

/**
 * Selects the awarded (by settlement or verdict) and assigned workers of a private task; needs `createdContent`. A
 * claim and an auction's win are the worker's own act, and a direct chain call can bypass the invitations. So they
 * count only when this service relayed them, which it does for the invited only. A pitch is selected by the requester,
 * and a contest's worker named by the evaluator. Interface, "Other rules".
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

/** Selects the relayed call that assigned the worker of a claim or auction: their claim, bid, or acceptance. */
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
