import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * A reveal: entries of a task become visible to more readers. A reveal is of the task's bids for every reader, or of
 * the whole task for one wallet.
 */
export interface DueReveal {
  taskId: Hex
  /** The wallet that may see the task; null if the bids become visible to every reader. */
  viewer: Address | null
}

/** The fields of a stored entry that decide whether the entry becomes visible to more readers. */
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
 * Deletes and returns the due reveals in the order of their storage. Reveals of tasks that are not on chain are not
 * returned.
 */
export async function takeDueReveals(tx: Queryable, now: bigint): Promise<DueReveal[]> {
  return await tx<DueReveal[]>`
    with due as (delete from service.event_reveals where due <= ${now} returning *)
    select distinct on (due.id) coalesce(due.task_id, task.id) as task_id, due.viewer
    from due left join task on task.requester = due.requester and task.created_content_hash = due.content_hash
    where coalesce(due.task_id, task.id) is not null
    order by due.id`
}

/** Lists the entries of a task that no reorg reverted, in order. */
export async function listToldEvents(tx: Queryable, taskId: Hex): Promise<ToldEvent[]> {
  return await tx<ToldEvent[]>`
    select sequence, kind, resource, worker from service.events
    where task_id = ${taskId} and not is_reverted and source is not null order by sequence`
}
