import { beforeAll, describe, expect, it } from 'vitest'
import { traceOf } from '../../../api/observability/tracing/tracing.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import type { OtlpCollector } from '../../support/otlp-collector.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'

let stack: TestStack
let metricsUrl: string
let collector: OtlpCollector
/** Lines of the log about the write: its request, and the steps of its intent. */
// biome-ignore lint/suspicious/noExplicitAny: a line has any fields.
let request: any
// biome-ignore lint/suspicious/noExplicitAny: as above.
let intentSteps: any[]

/** Spans below the paid request of a write, by their ends: the first is the request that was answered 402. */
const STEPS = ['POST /api/tasks', 'preflight', 'verify', 'simulate', 'sign', 'bind', 'send', 'transaction', 'indexed']

/**
 * Registers these tests, on a stack and with a collector of traces that the caller starts and ends: the stack first, for a process
 * waits for its collector at its end.
 */
export function testObservedWrite(stackOf: () => TestStack, collectorOf: () => OtlpCollector): void {
  describe('an observed write', () => {
    beforeAll(async () => {
      stack = stackOf()
      const port = await findFreePort()
      metricsUrl = `http://127.0.0.1:${port}/metrics`
      collector = collectorOf()
      await stack.restartApi({ METRICS_PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })

      const account = await createWallets(stack).funded(2n * REWARD)
      const { status, headers } = await createPayingClient({ baseUrl: stack.baseUrl(), account }).pay(createCall())
      expect(status).toBe(200)
      const lines = stack
        .api()
        .child.readLog()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      request = lines.find(({ msg, requestId }) => msg === 'request' && requestId === headers.get('x-request-id'))
      intentSteps = lines.filter(({ msg, intentId }) => msg !== 'request' && intentId === request.intentId)
    })

    it('given one paid write, then its three steps have one log line each', () => {
      expect(request).toMatchObject({ route: '/api/tasks', status: 200, operation: 'tasks.create', client: 'loopback' })
      expect(intentSteps.map(({ from, to }) => [from, to])).toEqual([
        [undefined, 'reserved'],
        ['reserved', 'broadcast'],
        ['broadcast', 'completed'],
      ])
      expect(intentSteps[2]).toMatchObject({
        requestId: request.requestId,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        nonce: expect.any(Number),
      })
    })

    it('given one paid write, then every stage of it is counted', async () => {
      const text = await (await fetch(metricsUrl)).text()
      for (const stage of ['preflight', 'verify', 'simulate', 'bind', 'sign', 'send', 'mined', 'indexed', 'answer']) {
        expect(text).toMatch(new RegExp(`taskmarket_write_stage_seconds_count\\{stage="${stage}"\\} [1-9]`))
      }
      expect(text).toContain('taskmarket_writes_total{operation="tasks.create",outcome="completed"} 1')
      expect(text).toMatch(/taskmarket_relayer_balance_wei\{relayer="0x[0-9a-f]{40}"\} [1-9]/)
      expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds [0-9]/)
    })

    it('given one paid write, then its requests, intent, transaction and indexed block are one trace, in this order', async () => {
      const { traceId, spanId } = traceOf(request.intentId)
      const findSpans = () => collector.spans.filter((span) => span.traceId === traceId)
      // The paid request is the last to end.
      await expect.poll(() => findSpans().map((span) => span.spanId)).toContain(spanId)

      const spans = findSpans()
      const paid = spans.find((span) => span.spanId === spanId)
      expect([paid?.name, paid?.parentSpanId ?? '']).toEqual(['POST /api/tasks', ''])
      const steps = spans.filter((span) => span.parentSpanId === spanId)
      expect(steps.map(({ name }) => name).toSorted()).toEqual(STEPS.toSorted())
      const below = spans.filter((span) => span !== paid && !steps.includes(span))
      const challenge = steps.find(({ name }) => name === 'POST /api/tasks')
      expect(below.map((span) => [span.name, span.parentSpanId])).toEqual([['preflight', challenge?.spanId]])

      const ends = [...STEPS.map((name) => steps.find((span) => span.name === name)), paid].map((span) =>
        Number(span?.endTimeUnixNano),
      )
      expect(ends).toEqual(ends.toSorted((a, b) => a - b))
      expect(steps.find(({ name }) => name === 'transaction')?.attributes).toContainEqual({
        key: 'taskmarket.transaction',
        value: { stringValue: intentSteps[2].txHash },
      })
    })

    it('given a running stack, then it is ready, and the public port has no metrics', async () => {
      const ready = await fetch(`${stack.baseUrl()}/ready`)
      expect([ready.status, await ready.json()]).toEqual([
        200,
        expect.objectContaining({ status: 'ready', checks: expect.objectContaining({ relayers: { status: 'ok' } }) }),
      ])
      expect((await fetch(`${stack.baseUrl()}/metrics`)).status).toBe(404)
    })
  })
}
