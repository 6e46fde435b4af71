import { createHash } from 'node:crypto'

/** Parts of a trace that are described by the code that does them. Attributes have ids, names and statuses: no texts, keys or amounts. */
export interface RequestSpan {
  /** `POST /api/tasks`. */
  name: string
  /** The intent that the request is about; its trace is that of the intent. */
  intentId: string | undefined
  isError: boolean
  attributes: Readonly<Record<string, string | number>>
}

/** A step of an intent that was committed, by this process or another one. */
export interface IntentSpan {
  intentId: string
  name: string
  milliseconds: number
  isError: boolean
  attributes: Readonly<Record<string, string | number>>
}

/** Traces of requests and intents; of several processes each adds its part of an intent's trace. */
export interface Tracing {
  /** Does a request's work. `describe` is called when it has ended. */
  request<Result>(work: () => Promise<Result>, describe: () => RequestSpan): Promise<Result>
  /** Notes a stage that has just ended: of the request in which it is called, or of the intent. */
  stageEnded(name: string, milliseconds: number, intentId?: string): void
  stepEnded(step: IntentSpan): void
  /** Sends what is left, within five seconds. */
  stop(): Promise<void>
}

/** No traces: nothing is loaded, nothing is kept. */
export const noTracing: Tracing = {
  request: (work) => work(),
  stageEnded: () => {},
  stepEnded: () => {},
  stop: async () => {},
}

/**
 * The trace of an intent and the span of the request that bound it, derived from its id: a process that relays it continues the
 * trace, and no column is needed.
 * @example traceOf('7c9e6679-7425-40de-944b-e07fc1f90ae7').traceId // '7c9e6679742540de944be07fc1f90ae7'
 */
export function traceOf(intentId: string): { traceId: string; spanId: string } {
  const spanId = createHash('sha256').update(`request of ${intentId}`).digest('hex').slice(0, 16)
  return { traceId: intentId.replaceAll('-', '').toLowerCase(), spanId }
}
