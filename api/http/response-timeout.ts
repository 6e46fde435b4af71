import type { Context, MiddlewareHandler } from 'hono'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { ServiceError } from '../errors/service-error.ts'
import { requestFactsOf } from '../observability/request-facts.ts'

/** How long a request may go without an answer. */
export interface AnswerLimit {
  /** So much longer, milliseconds: its body may take that time to come. */
  extend: (milliseconds: number) => void
}

declare module 'hono' {
  interface ContextVariableMap {
    answerLimit: AnswerLimit
  }
}

/**
 * Answers a request that no stage answers: its database or node went silent without an error (the database's own bound
 * ends statements that it still works on).
 * @param milliseconds longer than the slowest body may take to come
 */
export function limitResponseTime(milliseconds: number): MiddlewareHandler {
  return async (c, next) => {
    const limit = createLimit(milliseconds)
    c.set('answerLimit', limit)
    const work = next()
    try {
      const isLate = await Promise.race([work.then(() => false), limit.reached])
      if (isLate) throw lateAnswer(c)
    } finally {
      limit.end()
    }
  }
}

function createLimit(milliseconds: number) {
  const end = performance.now() + milliseconds
  let timer: NodeJS.Timeout | undefined
  let extend: AnswerLimit['extend'] = () => {}
  const reached = new Promise<true>((resolve) => {
    extend = (extraMs) => {
      clearTimeout(timer)
      timer = setTimeout(resolve, end + extraMs - performance.now(), true)
    }
    extend(0)
  })
  return { reached, extend, end: () => clearTimeout(timer) }
}

/**
 * The work's own end, or an error once the time is over. What was begun may go on behind the answer, so a write is told
 * to look itself up.
 * @throws ServiceError 409 `intent_in_flight` for a write, else 503
 */
export async function answerWithin<Result>(c: Context, milliseconds: number, work: Promise<Result>): Promise<Result> {
  const ended = await withTimeout(
    work.then((result) => ({ result })),
    milliseconds,
  )
  if (ended === null) throw lateAnswer(c)
  return ended.result
}

function lateAnswer(c: Context): ServiceError {
  const { operation, intentId } = requestFactsOf(c)
  if (operation !== undefined) {
    return new ServiceError(
      409,
      'intent_in_flight',
      'The service cannot say what became of this write; look its key up at /intents before anything else.',
      { detail: 'write_undecided', intent: { operation, ...(intentId !== undefined && { intentId }) } },
    )
  }
  return new ServiceError(503, 'unclassified', 'The service could not answer in time; try again shortly.', {
    detail: 'timed_out',
    headers: { 'Retry-After': '10' },
  })
}
