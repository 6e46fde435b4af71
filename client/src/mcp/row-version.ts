import type { components } from '../api/openapi.ts'
import type { ClientContext } from '../context.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import { readJson } from '../reads/read-json.ts'
import { Refused } from '../writes/write-spec.ts'

/**
 * The fields of a task that a decision about it rests on. Counts of what others hand in and what follows from the time
 * are none of them: a stranger could change those between any two calls.
 */
const fields = [
  'id',
  'requester',
  'description',
  'reward',
  'mode',
  'status',
  'expiryTime',
  'claimedBy',
  'claimRound',
  'termsHash',
  'stakeBps',
  'platformFeeBps',
  'evaluator',
  'evaluatorFeeBps',
  'evaluationWindow',
  'appealWindow',
  'disputeResolver',
  'verdictType',
  'verdictScore',
  'hookContract',
  'hooks',
  'auctionType',
  'auctionStartPrice',
  'auctionFloorPrice',
  'maxPrice',
  'currentLowestBid',
  'awards',
] as const satisfies readonly (keyof components['schemas']['TaskDetail'])[]

/** A task as a write about it finds it. */
export interface TaskRow {
  version: string
  platformFeeBps: number
  /** Operations that the service offers to this wallet now. */
  offered: string[]
}

/** @throws Refused when the task cannot be read */
export async function readTaskRow(context: ClientContext, taskId: string): Promise<TaskRow> {
  const answer = await readJson(context, `/api/tasks/${taskId.toLowerCase()}`)
  const row = (answer.ok ? answer.body : null) as Record<string, unknown> | null
  if (row === null) throw new Refused('task_unreadable', 'The task cannot be read.')
  const { platformFeeBps, pendingActions } = row
  const actions = (Array.isArray(pendingActions) ? pendingActions : []) as { request?: { operationId?: unknown } }[]
  return {
    version: await sha256Hex(JSON.stringify(fields.map((name) => row[name] ?? null))),
    platformFeeBps: Number.isSafeInteger(platformFeeBps) ? Number(platformFeeBps) : 0,
    offered: actions.flatMap(({ request }) => (typeof request?.operationId === 'string' ? [request.operationId] : [])),
  }
}
