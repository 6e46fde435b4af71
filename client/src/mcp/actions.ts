import type { ClientContext } from '../context.ts'
import { queueShape } from '../http/command-shapes.ts'
import { taskOrNullShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { Refused } from '../writes/write-spec.ts'
import { writes } from '../writes/write-table.ts'
import { catalogue } from './catalogue.ts'

interface Offer {
  action?: unknown
  role?: unknown
  eligibleAddress?: unknown
  requiresPayment?: unknown
  paymentAmount?: unknown
  availableAfter?: unknown
  availableUntil?: unknown
  targetWorker?: unknown
  request?: { operationId?: unknown }
}

/** An action that the wallet can take now, and the tool call that begins the action. */
export interface ReadyAction {
  taskId: string
  action: unknown
  role: unknown
  paymentAmount: unknown
  availableAfter: unknown
  availableUntil: unknown
  ready: { tool: 'preview_write'; arguments: { write: string; input: Record<string, unknown> } }
  /** Names of the arguments that the caller must add to `input`. */
  missing: string[]
}

/**
 * Lists the actions that tasks offer the wallet now, each with a tool call that begins the action. Each offer of the
 * service contains a request. From this request the function uses only the operation id, and composes the tool call
 * itself. If the operation id is no write on a task, the offer is left out.
 * @throws Refused when the service does not answer
 */
export async function listActions(context: ClientContext, taskId?: string): Promise<ReadyAction[]> {
  const address = context.account?.address ?? ''
  const answer =
    taskId === undefined
      ? await readJson(context, '/api/agents/action-queue', { address }, queueShape)
      : await readJson(context, `/api/tasks/${taskId.toLowerCase()}`, {}, taskOrNullShape)
  if (!answer.ok) throw new Refused('unreachable', answer.message)
  return offersIn(answer.body)
    .filter(({ offer }) => isFor(address, offer))
    .flatMap(({ taskId: id, offer }) => toReady(id, offer))
}

/** Extracts the offers from the answer, which is one task or an action queue. */
function offersIn(body: unknown): { taskId: string; offer: Offer }[] {
  const { id, pendingActions, items } = (body ?? {}) as { id?: unknown; pendingActions?: unknown; items?: unknown }
  if (typeof id === 'string' && Array.isArray(pendingActions)) return pair(id, pendingActions)
  const queueItems = (Array.isArray(items) ? items : []) as { task?: { id?: unknown }; actions?: unknown }[]
  return queueItems.flatMap(({ task, actions }) =>
    typeof task?.id === 'string' && Array.isArray(actions) ? pair(task.id, actions) : [],
  )
}

function pair(taskId: string, offers: readonly unknown[]) {
  return offers.map((offer) => ({ taskId, offer: (offer ?? {}) as Offer }))
}

function isFor(address: string, { eligibleAddress }: Offer): boolean {
  return typeof eligibleAddress !== 'string' || eligibleAddress.toLowerCase() === address.toLowerCase()
}

function toReady(taskId: string, offer: Offer): ReadyAction[] {
  const { action, role, paymentAmount, availableAfter, availableUntil, targetWorker, request } = offer
  const operation = request?.operationId
  const tool = catalogue.writes.find(({ name }) => name === operation)
  if (tool === undefined || !/^0x[0-9a-fA-F]{64}$/.test(taskId)) return []
  if (!writes[tool.name].path.includes('{taskId}')) return []
  const input = { taskId, ...(typeof targetWorker === 'string' && { worker: targetWorker }) }
  return [
    {
      taskId,
      action,
      role,
      paymentAmount,
      availableAfter,
      availableUntil,
      ready: { tool: 'preview_write', arguments: { write: tool.name, input } },
      missing: (tool.inputSchema.required ?? []).filter((name) => !Object.hasOwn(input, name)),
    },
  ]
}
