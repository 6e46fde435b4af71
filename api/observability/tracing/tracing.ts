import { createHash } from 'node:crypto'

/** The span of a request. Attributes have ids, names and statuses: no texts, keys or amounts. */
export interface RequestSpan {
  /** The name: `POST /api/tasks`. */
  name: string
  /** The intent of the request, whose trace it joins. */
  intentId: string | undefined
  isError: boolean
  attributes: Readonly<Record<string, string | number>>
}

/** A committed step of an intent, by any process. */
export interface IntentSpan {
  intentId: string
  name: string
  milliseconds: number
  isError: boolean
  attributes: Readonly<Record<string, string | number>>
}

/** The traces of requests and intents; each process adds its part of an intent's trace. */
export interface Tracing {
  /** Runs a request; `describe` is called at its end. */
  request<Result>(work: () => Promise<Result>, describe: () => RequestSpan): Promise<Result>
  /** Records a stage that has just ended, of the present request or of the intent. */
  stageEnded(name: string, milliseconds: number, intentId?: string): void
  stepEnded(step: IntentSpan): void
  /** Sends the remaining spans, within five seconds. */
  stop(): Promise<void>
}

/** A tracing that loads and stores nothing. */
export const noTracing: Tracing = {
  request: (work) => work(),
  stageEnded: () => {},
  stepEnded: () => {},
  stop: async () => {},
}

/**
 * Returns the trace of an intent and the span of the request that bound it, derived from its id. So the process that
 * relays it continues the trace without a column.
 * @example traceOf('7c9e6679-7425-40de-944b-e07fc1f90ae7').traceId // '7c9e6679742540de944be07fc1f90ae7'
 */
export function traceOf(intentId: string): { traceId: string; spanId: string } {
  const spanId = createHash('sha256').update(`request of ${intentId}`).digest('hex').slice(0, 16)
  return { traceId: intentId.replaceAll('-', '').toLowerCase(), spanId }
}
