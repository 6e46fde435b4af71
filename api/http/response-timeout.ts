import type { Context, MiddlewareHandler } from 'hono'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { ServiceError } from '../errors/service-error.ts'
import { requestFactsOf } from '../observability/request-facts.ts'

/** The time limit of a request's answer. */
export interface AnswerLimit {
  /** Extends the original time limit by `milliseconds`, for a slow body. Repeated extensions do not add up. */
  extend: (milliseconds: number) => void
}

declare module 'hono' {
  interface ContextVariableMap {
    answerLimit: AnswerLimit
  }
}

/**
 * Creates the middleware that answers with an error if the answer takes too long, such as for a slow database or node.
 * The middleware stops no statement of the database; the database has its own time limit for statements.
 * @param milliseconds the time limit; it must be longer than an ordinary request body may take to arrive
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
  const timeLimit = new Promise<true>((resolve) => {
    extend = (extraMs) => {
      clearTimeout(timer)
      timer = setTimeout(resolve, end + extraMs - performance.now(), true)
    }
    extend(0)
  })
  return { reached: timeLimit, extend, end: () => clearTimeout(timer) }
}

/**
 * Returns the result of the work, or throws at the time limit. The work of a write may continue, so the error tells the
 * client to look up the write.
 * @throws ServiceError 409 `intent_in_flight` if the request is a write, otherwise 503
 */
export async function answerWithin<Result>(c: Context, milliseconds: number, work: Promise<Result>): Promise<Result> {
  const outcome = await withTimeout(
    work.then((result) => ({ result })),
    milliseconds,
  )
  if (outcome === null) throw lateAnswer(c)
  return outcome.result
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
