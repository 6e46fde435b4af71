import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** A reveal that is due: the sealed bids of a task for everyone, or a whole task for a wallet. */
export interface DueReveal {
  taskId: Hex
  /** Null: everyone. */
  viewer: Address | null
}

/** An entry that is there, as far as it decides about a reveal. */
export interface ToldEvent {
  sequence: bigint
  kind: string
  resource: string | null
  worker: Address | null
}

/** Plans to reveal the bids of a task at its deadline, Unix seconds. */
export async function planReveal(tx: Queryable, taskId: Hex, due: bigint): Promise<void> {
  await tx`
    insert into service.event_reveals (task_id, due)
    select ${taskId}, ${due} where not exists (
      select from service.event_reveals where due = ${due} and task_id = ${taskId})`
}

/** Takes what is due, in the order in which it was planned. What is of no task of the chain yet has nothing to reveal. */
export async function takeDueReveals(tx: Queryable, now: bigint): Promise<DueReveal[]> {
  return await tx<DueReveal[]>`
    with due as (delete from service.event_reveals where due <= ${now} returning *)
    select distinct on (due.id) coalesce(due.task_id, task.id) as task_id, due.viewer
    from due left join task on task.requester = due.requester and task.created_content_hash = due.content_hash
    where coalesce(due.task_id, task.id) is not null
    order by due.id`
}

/** The entries of a task that still count, in the order of their ids. */
export async function listToldEvents(tx: Queryable, taskId: Hex): Promise<ToldEvent[]> {
  return await tx<ToldEvent[]>`
    select sequence, kind, resource, worker from service.events
    where task_id = ${taskId} and not is_reverted and source is not null order by sequence`
}
