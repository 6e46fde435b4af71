import { createHash } from 'node:crypto'

/** The span of a request. Its attributes are ids, names and statuses. They never contain texts, keys or amounts. */
export interface RequestSpan {
  /** The span's name, such as `POST /api/tasks`. */
  name: string
  /**
   * The id of the request's intent. The span belongs to the trace of this intent. Undefined if the request has no
   * intent.
   */
  intentId: string | undefined
  isError: boolean
  attributes: Readonly<Record<string, string | number>>
}

/** A committed status change of an intent, made by any process. */
export interface IntentSpan {
  intentId: string
  name: string
  milliseconds: number
  isError: boolean
  attributes: Readonly<Record<string, string | number>>
}

/** The tracing of requests and intents. Each process adds its part of an intent's trace. */
export interface Tracing {
  /** Runs a request. `describe` is called when the request ends. */
  request<Result>(work: () => Promise<Result>, describe: () => RequestSpan): Promise<Result>
  /**
   * Records a stage that has just ended. The stage belongs to the intent with the given id, or to the current request.
   */
  stageEnded(name: string, milliseconds: number, intentId?: string): void
  stepEnded(step: IntentSpan): void
  /** Sends the remaining spans. This takes at most five seconds. */
  stop(): Promise<void>
}

/** The tracing of a process without a collector. It records nothing. */
export const noTracing: Tracing = {
  request: (work) => work(),
  stageEnded: () => {},
  stepEnded: () => {},
  stop: async () => {},
}

/**
 * Returns the ids of the root span of an intent: the trace id, and the span id of the request that binds the intent
 * (runs the stage `bind`). Both ids are computed from the intent's id. Thus a different process that relays the intent
 * can add its spans to the trace.
 * @example traceOf('7c9e6679-7425-40de-944b-e07fc1f90ae7').traceId // '7c9e6679742540de944be07fc1f90ae7'
 */
export function traceOf(intentId: string): { traceId: string; spanId: string } {
  const spanId = createHash('sha256').update(`request of ${intentId}`).digest('hex').slice(0, 16)
  return { traceId: intentId.replaceAll('-', '').toLowerCase(), spanId }
}
