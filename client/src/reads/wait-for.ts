import type { operations } from '../api/openapi.ts'
import { type ClientContext, readLimit } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { foreignAnswer } from '../http/shape.ts'
import { taskOrNullShape } from '../http/shapes.ts'
import { ReadError } from './pages.ts'

/** A task as its detail answers it. */
export type TaskDetail = NonNullable<operations['getTask']['responses'][200]['content']['application/json']>
export type TaskStatus = TaskDetail['status']

export interface WaitOptions {
  /** Milliseconds; ten minutes unless given. */
  timeoutMs?: number
  /** Between two reads, milliseconds. */
  pauseMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 600_000
const PAUSE_MS = 3_000

/**
 * Reads a task until it has one of these statuses; an unchanged one is not sent again where the service gives an ETag.
 * @returns the task; null when the time is up
 * @throws ReadError when what answers is not the service
 */
export async function waitForTask(
  context: ClientContext,
  taskId: string,
  statuses: TaskStatus | readonly TaskStatus[],
  { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS, signal }: WaitOptions = {},
): Promise<TaskDetail | null> {
  const wanted: readonly string[] = typeof statuses === 'string' ? [statuses] : statuses
  const deadline = performance.now() + timeoutMs
  let tag: string | null = null
  for (;;) {
    signal?.throwIfAborted()
    const answer = await sendRequest(
      context.fetch,
      {
        method: 'GET',
        url: `${context.url}/api/tasks/${encodeURIComponent(taskId)}`,
        headers: { ...(await context.identity()), ...(tag !== null && { 'If-None-Match': tag }) },
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
      if (task !== null && wanted.includes(task.status)) return task
    }
    if (performance.now() + pauseMs > deadline) return null
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
