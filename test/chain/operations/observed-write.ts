import { decodePaymentResponseHeader } from '@x402/core/http'
import { describe, expect, it } from 'vitest'
import { traceOf } from '../../../api/observability/tracing/tracing.ts'
import type { OtlpCollector } from '../../support/otlp-collector.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'

/** Spans below the paid request of a write, by their ends: the first is the request that was answered 402. */
const STEPS = ['POST /api/tasks', 'preflight', 'verify', 'simulate', 'sign', 'bind', 'send', 'transaction', 'indexed']

/** Registers these tests, on a stack whose collector of traces is `collectorOf()`. */
export function testObservedWrite(stackOf: () => TestStack, collectorOf: () => OtlpCollector): void {
  describe('an observed write', () => {
    it('given one paid write, then its requests, intent, transaction and indexed block are one trace, in this order', async () => {
      const [stack, collector] = [stackOf(), collectorOf()]
      const account = await createWallets(stack).funded(2n * REWARD)
      const { body, headers } = await createPayingClient({ baseUrl: stack.baseUrl(), account }).pay(createCall())
      const { traceId, spanId } = traceOf(body.intentId)
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
        value: { stringValue: decodePaymentResponseHeader(headers.get('payment-response') ?? '').transaction },
      })
    })
  })
}
