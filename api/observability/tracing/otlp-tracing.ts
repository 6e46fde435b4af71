import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../../config.ts'
import { type Tracing, traceOf } from './tracing.ts'

/**
 * The largest number of queued spans. Further spans are discarded. An unreachable collector thus costs little memory.
 */
const QUEUED_AT_MOST = 2_048
/** The timeout of one export in milliseconds. It also applies to the last export before the process ends. */
const EXPORT_MS = 5_000

type TracingSettings = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'
> & { OTEL_EXPORTER_OTLP_ENDPOINT: string }

/** A stage of a request, with its start and end in Unix milliseconds. */
interface Stage {
  name: string
  from: number
  to: number
}

/**
 * Creates tracing by OTLP over HTTP. The spans of a request are created only when the request ends: their trace id
 * follows from the intent of the request, which is not known before.
 * @param scheduledDelayMs the time between two exports, in milliseconds
 */
export function createOtlpTracing(settings: TracingSettings, { scheduledDelayMs = 1_000 } = {}): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${settings.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMillis: EXPORT_MS,
  })
  const random = new RandomIdGenerator()
  let chosenIds: { traceId: string; spanId: string } | null = null
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.OTEL_SERVICE_NAME }),
    sampler: toSampler(settings),
    idGenerator: {
      generateTraceId: () => chosenIds?.traceId ?? random.generateTraceId(),
      generateSpanId: () => chosenIds?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: QUEUED_AT_MOST,
        scheduledDelayMillis: scheduledDelayMs,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('task-market')
  const requests = new AsyncLocalStorage<Stage[]>()

  const addSpan = (
    { name, from, to }: Stage,
    parent: Context,
    { kind = SpanKind.INTERNAL, attributes = {}, isError = false }: SpanFacts = {},
  ): Context => {
    const span = tracer.startSpan(name, { kind, startTime: from, attributes }, parent)
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(to)
    return trace.setSpan(ROOT_CONTEXT, span)
  }
  const ofIntent = (intentId: string): Context =>
    trace.setSpanContext(ROOT_CONTEXT, { ...traceOf(intentId), traceFlags: 1, isRemote: true })
  /**
   * Adds the spans of a request. The request that binds an intent (runs the stage `bind`) is the root span of the
   * intent's trace. Later requests about the intent are child spans of the root span.
   */
  const addRequest = (
    request: Stage,
    stages: readonly Stage[],
    facts: SpanFacts & { intentId?: string | undefined },
  ) => {
    const { intentId } = facts
    const isFirst = intentId !== undefined && stages.some(({ name }) => name === 'bind')
    chosenIds = isFirst ? traceOf(intentId) : null
    const parent = addSpan(request, intentId === undefined || isFirst ? ROOT_CONTEXT : ofIntent(intentId), facts)
    chosenIds = null
    for (const stage of stages) addSpan(stage, parent)
  }

  return {
    request: async (work, describe) => {
      const from = Date.now()
      const stages: Stage[] = []
      try {
        return await requests.run(stages, work)
      } finally {
        const { name, ...facts } = describe()
        addRequest({ name, from, to: Date.now() }, stages, { ...facts, kind: SpanKind.SERVER })
      }
    },
    stageEnded: (name, milliseconds, intentId) => {
      const to = Date.now()
      const stage = { name, from: to - milliseconds, to }
      const stages = requests.getStore()
      if (intentId !== undefined)
        addSpan(stage, ofIntent(intentId), { attributes: { 'taskmarket.intent_id': intentId } })
      else stages?.push(stage)
    },
    stepEnded: ({ intentId, name, milliseconds, isError, attributes }) => {
      const to = Date.now()
      const facts = { isError, attributes: { ...attributes, 'taskmarket.intent_id': intentId } }
      addSpan({ name, from: to - milliseconds, to }, ofIntent(intentId), facts)
    },
    // Without the collector the last spans are lost.
    stop: () => provider.shutdown().catch(() => {}),
  }
}

interface SpanFacts {
  kind?: SpanKind
  attributes?: Attributes
  isError?: boolean
}

/**
 * Returns the sampler of OpenTelemetry that the settings name. The prefix `parentbased_` makes no difference, because
 * an intent's trace has no parent.
 */
function toSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingSettings): Sampler {
  if (name.endsWith('always_off')) return new AlwaysOffSampler()
  return name.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}
