import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * A reveal that is due. A reveal makes entries of a task visible to more readers: either the entries about bids to
 * every reader, or all entries of the task to one wallet.
 */
export interface DueReveal {
  taskId: Hex
  /** The wallet to which the task becomes visible; null if the bids become visible to every reader. */
  viewer: Address | null
}

/** An entry that is already in the log. The fields decide whether a reveal makes the entry visible to more readers. */
export interface ToldEvent {
  sequence: bigint
  kind: string
  resource: string | null
  worker: Address | null
}

/** Stores that the sealed bids of a task become visible at the bid deadline `revealTime`, in Unix seconds. */
export async function planReveal(tx: Queryable, taskId: Hex, revealTime: bigint): Promise<void> {
  await tx`
    insert into service.event_reveals (task_id, due)
    select ${taskId}, ${revealTime} where not exists (
      select from service.event_reveals where due = ${revealTime} and task_id = ${taskId})`
}

/**
 * Deletes the due reveals, and returns them in the order in which they were stored. A reveal of a task that is not on
 * chain is deleted and not returned.
 */
export async function takeDueReveals(tx: Queryable, now: bigint): Promise<DueReveal[]> {
  return await tx<DueReveal[]>`
    with due as (delete from service.event_reveals where due <= ${now} returning *)
    select distinct on (due.id) coalesce(due.task_id, task.id) as task_id, due.viewer
    from due left join task on task.requester = due.requester and task.created_content_hash = due.content_hash
    where coalesce(due.task_id, task.id) is not null
    order by due.id`
}

/** Lists a task's entries in the order of the log. Leaves out reverted entries and entries without an indexer row. */
export async function listToldEvents(tx: Queryable, taskId: Hex): Promise<ToldEvent[]> {
  return await tx<ToldEvent[]>`
    select sequence, kind, resource, worker from service.events
    where task_id = ${taskId} and not is_reverted and source is not null order by sequence`
}
