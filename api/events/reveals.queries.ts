import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** A due reveal: the sealed bids of a task to every reader, or a whole task to a wallet. */
export interface DueReveal {
  taskId: Hex
  /** The wallet; null: every reader. */
  viewer: Address | null
}

/** The fields of a stored entry that decide about a reveal. */
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

/** Takes the due reveals in the order of their plans. A reveal without a task on chain has nothing to show. */
export async function takeDueReveals(tx: Queryable, now: bigint): Promise<DueReveal[]> {
  return await tx<DueReveal[]>`
    with due as (delete from service.event_reveals where due <= ${now} returning *)
    select distinct on (due.id) coalesce(due.task_id, task.id) as task_id, due.viewer
    from due left join task on task.requester = due.requester and task.created_content_hash = due.content_hash
    where coalesce(due.task_id, task.id) is not null
    order by due.id`
}

/** Lists the valid entries of a task, in the order of their ids. */
export async function listToldEvents(tx: Queryable, taskId: Hex): Promise<ToldEvent[]> {
  return await tx<ToldEvent[]>`
    select sequence, kind, resource, worker from service.events
    where task_id = ${taskId} and not is_reverted and source is not null order by sequence`
}
