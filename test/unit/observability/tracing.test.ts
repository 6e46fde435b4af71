import { afterEach, expect, test } from 'vitest'
import { createOtlpTracing } from '../../../api/observability/tracing/otlp-tracing.ts'
import { traceOf } from '../../../api/observability/tracing/tracing.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { startOtlpCollector } from '../../support/otlp-collector.ts'

const intentId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const cleanups = createCleanups()
afterEach(() => cleanups.run())

async function startCollector() {
  const collector = await startOtlpCollector()
  cleanups.defer(collector.stop)
  return collector
}

/** The traces of a process. */
const aProcess = (
  url: string,
  settings: { OTEL_TRACES_SAMPLER?: 'traceidratio'; OTEL_TRACES_SAMPLER_ARG?: number } = {},
) =>
  createOtlpTracing({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer of-the-collector' },
    OTEL_SERVICE_NAME: 'task-market-api',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    ...settings,
  })

const aRequest = (name: string, about?: string) => () => ({
  name,
  intentId: about,
  isError: false,
  attributes: { 'http.response.status_code': 200 },
})

test('given a write that one process binds and another one relays, then its spans are one trace below its request', async () => {
  const collector = await startCollector()
  const [first, second] = [aProcess(collector.url), aProcess(collector.url)]
  await first.request(
    async () => {
      first.stageEnded('preflight', 3)
      first.stageEnded('bind', 2)
      second.stageEnded('sign', 4, intentId)
      second.stepEnded({ intentId, name: 'intent in the outbox', milliseconds: 20, isError: false, attributes: {} })
      const attributes = { 'taskmarket.transaction': '0x12' }
      second.stepEnded({ intentId, name: 'transaction', milliseconds: 2_000, isError: false, attributes })
      first.stageEnded('indexed', 10)
    },
    aRequest('POST /api/tasks', intentId),
  )
  await second.request(async () => {}, aRequest('GET /api/intents', intentId))
  await Promise.all([first.stop(), second.stop()])

  const { traceId, spanId } = traceOf(intentId)
  expect(traceId).toBe('7c9e6679742540de944be07fc1f90ae7')
  const shown = collector.spans.map(
    (span) => `${span.name} < ${span.parentSpanId === spanId ? 'request' : span.parentSpanId || 'none'}`,
  )
  expect(shown.toSorted()).toEqual([
    'GET /api/intents < request',
    'POST /api/tasks < none',
    'bind < request',
    'indexed < request',
    'intent in the outbox < request',
    'preflight < request',
    'sign < request',
    'transaction < request',
  ])
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  expect(collector.spans.find(({ name }) => name === 'POST /api/tasks')?.spanId).toBe(spanId)
  const transaction = collector.spans.find(({ name }) => name === 'transaction')
  const nanoseconds = BigInt(transaction?.endTimeUnixNano ?? 0) - BigInt(transaction?.startTimeUnixNano ?? 0)
  expect(nanoseconds).toBe(2_000_000_000n)
  expect(transaction?.attributes).toContainEqual({ key: 'taskmarket.transaction', value: { stringValue: '0x12' } })
  expect(collector.requests[0]).toEqual(['/v1/traces', 'Bearer of-the-collector'])
})

test('given requests at the same time, then each has its own stages, in a trace of its own', async () => {
  const collector = await startCollector()
  const tracing = aProcess(collector.url)
  const both = ['one', 'two'].map((name) =>
    tracing.request(async () => {
      await Promise.resolve()
      tracing.stageEnded(`stage of ${name}`, 1)
    }, aRequest(name)),
  )
  await Promise.all(both)
  await tracing.stop()
  for (const name of ['one', 'two']) {
    const request = collector.spans.find((span) => span.name === name)
    const stage = collector.spans.find((span) => span.name === `stage of ${name}`)
    expect([stage?.traceId, stage?.parentSpanId]).toEqual([request?.traceId, request?.spanId])
  }
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2)
})

test('given a ratio of 0, then nothing is sent', async () => {
  const collector = await startCollector()
  const tracing = aProcess(collector.url, { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 })
  await tracing.request(async () => tracing.stageEnded('bind', 1), aRequest('POST /api/tasks', intentId))
  await tracing.stop()
  expect(collector.spans).toEqual([])
})

test('given a collector that is gone, then requests are answered, spans beyond the queue are dropped, and the end comes', async () => {
  const collector = await startCollector()
  await collector.stop()
  const tracing = aProcess(collector.url)
  for (let count = 0; count < 2_500; count += 1) {
    expect(await tracing.request(async () => count, aRequest('GET /api/tasks'))).toBe(count)
  }
  await tracing.stop()
})
