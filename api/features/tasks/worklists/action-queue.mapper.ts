import type { Hex } from 'viem'
import { phaseOf } from '../../../../protocol/phase.ts'
import type { Waiting } from '../../../domain/worklists/waiting.ts'
import type { WorkItem } from '../../../domain/worklists/work-items.ts'
import { toAmount, toTimestampOrNull } from '../../../http/response-schemas.ts'
import { type TaskView, toPendingAction } from '../tasks.mapper.ts'
import type { CandidateRow } from './action-queue.queries.ts'
import type { ActionQueue } from './worklists.schemas.ts'

/** The values that all items of an action queue share. `titles` has the titles of the tasks by task id. */
export interface QueueView extends TaskView {
  titles: ReadonlyMap<Hex, string | null>
}

/** Returns the public form of an item of a wallet's action queue. */
export function toItemOut(row: CandidateRow, item: WorkItem, view: QueueView): ActionQueue['items'][number] {
  const signedFacts = { id: row.id, claimRound: row.claimRound, serviceName: view.serviceName }
  return {
    id: `${row.id}:${item.role}:${item.intent}`,
    task: toQueuedTask(row, view),
    role: item.role,
    intent: item.intent,
    actions: item.actions.map((action) => toPendingAction(action, signedFacts)),
    priority: item.priority,
    dueAt: toTimestampOrNull(item.dueAt),
    progress: item.progress,
  }
}

/** Returns the public form of an entry of `waiting`: a task in which the wallet waits for other accounts. */
export function toWaitingOut(row: CandidateRow, entry: Waiting, view: QueueView): ActionQueue['waiting'][number] {
  return {
    id: `${row.id}:${entry.role}:${entry.reason}`,
    task: toQueuedTask(row, view),
    role: entry.role,
    reason: entry.reason,
    dueAt: toTimestampOrNull(entry.dueAt),
  }
}

function toQueuedTask(row: CandidateRow, { now, titles }: QueueView): ActionQueue['items'][number]['task'] {
  return {
    id: row.id,
    referenceCode: row.referenceCode,
    title: titles.get(row.id) ?? null,
    mode: row.mode,
    status: row.status,
    phase: phaseOf(row, now),
    reward: toAmount(row.reward),
  }
}
