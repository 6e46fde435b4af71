import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { ClientContext } from '../context.ts'
import { taskOrNullShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { cleanValue } from './clean.ts'

/**
 * A resource of this server, parsed from the resource's URI. Example: `task-market://tasks/0x12…` becomes
 * `{ kind: 'task', taskId: '0x12…' }`.
 */
export type MarketResource = { kind: 'actions' } | { kind: 'task'; taskId: string }

export const ACTIONS_URI = 'task-market://actions'
export const TASK_URI_TEMPLATE = 'task-market://tasks/{taskId}'
const TASK_URI = /^task-market:\/\/tasks\/(0x[0-9a-f]{64})$/i

/** Parses a URI; null if the URI does not name a resource of this server. */
export function parseResource(uri: string): MarketResource | null {
  if (uri === ACTIONS_URI) return { kind: 'actions' }
  const taskId = TASK_URI.exec(uri)?.[1]?.toLowerCase()
  return taskId === undefined ? null : { kind: 'task', taskId }
}

/**
 * Reads a task from the service. Returns null if the wallet may not read the task.
 * @throws ProtocolError when the service does not answer
 */
export async function findTask(context: ClientContext, taskId: string): Promise<Record<string, unknown> | null> {
  const answer = await readJson(context, `/api/tasks/${taskId}`, {}, taskOrNullShape)
  if (!answer.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, String(cleanValue(answer.message)))
  return answer.body as Record<string, unknown> | null
}
