import type { operations } from '../api/openapi.ts'
import { type ClientContext, readLimit } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { foreignAnswer } from '../http/shape.ts'
import { taskOrNullShape } from '../http/shapes.ts'
import { readChanges } from './changes.ts'
import { ReadError } from './pages.ts'

/** A task with its details. */
export type TaskDetail = NonNullable<operations['getTask']['responses'][200]['content']['application/json']>
export type TaskStatus = TaskDetail['status']

export interface WaitOptions {
  /** Timeout in milliseconds. The default is ten minutes. With 0, the task is read once. */
  timeoutMs?: number
  /** The pause in milliseconds between two reads while no stream is available. The default is three seconds. */
  pauseMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 600_000
/** The maximum duration of a JavaScript timer, in milliseconds. */
const TIMER_MS = 2 ** 31 - 1

/**
 * Waits until a task has one of the statuses. Reads the task again after each change, with the ETag of the last answer.
 * @returns the task; null at the timeout
 * @throws ReadError when the answer does not have the form of a task; the abort reason of `signal` when it aborts
 */
export async function waitForTask(
  context: ClientContext,
  taskId: string,
  statuses: TaskStatus | readonly TaskStatus[],
  { timeoutMs = TIMEOUT_MS, signal, ...options }: WaitOptions = {},
): Promise<TaskDetail | null> {
  const wantedStatuses: readonly string[] = typeof statuses === 'string' ? [statuses] : statuses
  const timeout = AbortSignal.timeout(Math.min(Math.max(1, Math.ceil(timeoutMs)), TIMER_MS))
  const stop = AbortSignal.any([timeout, signal ?? timeout])
  let tag: string | null = null
  for await (const _ of readChanges(context, { taskId, ...options, signal: stop })) {
    signal?.throwIfAborted()
    const answer = await sendRequest(
      context.fetch,
      {
        method: 'GET',
        url: `${context.url}/api/tasks/${encodeURIComponent(taskId)}`,
        headers: { ...(await context.identity()), ...(tag !== null && { 'If-None-Match': tag }) },
        signal,
      },
      readLimit(context.timing),
    )
    if (answer.kind === 'answer' && answer.status === 200) {
      tag = answer.headers.get('etag')
      if (!taskOrNullShape.accepts(answer.body)) {
        const message = foreignAnswer(answer.url, answer.body, taskOrNullShape)
        throw new ReadError(message, { status: null, body: null })
      }
      const task = answer.body as TaskDetail | null
      if (task !== null && wantedStatuses.includes(task.status)) return task
    }
    if (timeoutMs <= 0) break
  }
  signal?.throwIfAborted()
  return null
}
