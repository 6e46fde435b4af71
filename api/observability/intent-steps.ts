import type { Logger } from 'pino'
import { z } from 'zod'
import type { Metrics } from './metrics.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

/**
 * The message of the database trigger `service.tell_intent_step`. The trigger sends the message when the status of an
 * intent or of the intent's refund changes.
 */
const intentStep = z.object({
  intentId: z.uuid(),
  operation: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  /** The milliseconds that the intent was in the previous status. Null for the first status of an intent. */
  milliseconds: z.number().nullable(),
  kind: z.string().nullable(),
  relayMode: z.string().nullable(),
  requestId: z.string().nullable(),
  txHash: z.string().nullable(),
  nonce: z.number().nullable(),
  reason: z.string().nullable(),
  refundFrom: z.string().nullable(),
  refundTo: z.string().nullable(),
  refundTxHash: z.string().nullable(),
})
type IntentStep = z.infer<typeof intentStep>

/** A notice that Postgres sends to the connection whose statement caused the notice. */
export interface DatabaseNotice {
  message?: string
  detail?: string
}

const STEP_NOTICE = 'intent_step'

/**
 * Creates the handler that logs each status change of an intent. A database trigger sends a notice about the change to
 * the connection that commits the change. So only the process of that connection logs the change. A change that is
 * rolled back is not logged.
 */
export function createIntentSteps({
  log,
  metrics,
  tracing = noTracing,
}: {
  log: Logger
  metrics: Metrics
  tracing?: Tracing
}) {
  return (notice: DatabaseNotice): void => {
    if (notice.message !== STEP_NOTICE) return
    const step = parseStep(notice.detail)
    // An exception would break the database connection.
    if (step === null) {
      log.error('intent step unreadable')
      return
    }
    if (step.from !== step.to) {
      count(metrics, step)
      traceStep(tracing, step)
    }
    log[step.to === 'held' ? 'warn' : 'info'](factsOf(step), step.from === step.to ? 'refund' : 'intent')
  }
}

function parseStep(detail: string | undefined): IntentStep | null {
  try {
    return intentStep.parse(JSON.parse(detail ?? ''))
  } catch {
    return null
  }
}

function factsOf(step: IntentStep): Record<string, unknown> {
  const entries = Object.entries(step).filter(([, value]) => value !== null)
  return Object.fromEntries(entries)
}

function count(metrics: Metrics, { operation, from, to, milliseconds }: IntentStep): void {
  const isDecided = to === 'completed' || to === 'failed' || to === 'held'
  if (isDecided) metrics.writeDecided(operation, to)
  if (to === 'broadcast' && (from === 'completed' || from === 'failed')) metrics.intentReopened(operation)
  if (milliseconds === null) return
  if (from === 'recorded' && to === 'broadcast') metrics.stageTook('outbox', milliseconds / 1000)
  if (from === 'broadcast' && isDecided) metrics.stageTook('mined', milliseconds / 1000)
}

/**
 * Adds a span to the intent's trace if the status change ends one of two phases: the time in the outbox before the
 * signature, and the time from the signature to the outcome.
 */
function traceStep(tracing: Tracing, { intentId, operation, from, to, milliseconds, ...step }: IntentStep): void {
  if (milliseconds === null || (from !== 'recorded' && from !== 'broadcast')) return
  tracing.stepEnded({
    intentId,
    name: from === 'recorded' ? 'intent in the outbox' : 'transaction',
    milliseconds,
    isError: to === 'failed' || to === 'held',
    attributes: {
      'taskmarket.operation': operation,
      'taskmarket.status': to,
      ...(step.txHash === null ? {} : { 'taskmarket.transaction': step.txHash }),
      ...(step.nonce === null ? {} : { 'taskmarket.nonce': step.nonce }),
    },
  })
}
