import { beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '../../../ops/process/ports.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'

let stack: TestStack
let metricsUrl: string

/** Registers these tests, on a stack that the caller starts and ends. */
export function testObservedWrite(stackOf: () => TestStack): void {
  describe('an observed write', () => {
    beforeAll(async () => {
      stack = stackOf()
      const port = await findFreePort()
      metricsUrl = `http://127.0.0.1:${port}/metrics`
      await stack.restartApi({ METRICS_PORT: String(port) })
    })

    it('given one paid write, then its four steps have one log line each, and every stage is counted', async () => {
      const account = await createWallets(stack).funded(2n * REWARD)
      const client = createPayingClient({ baseUrl: stack.baseUrl(), account })
      const { status, headers } = await client.pay(createCall())
      expect(status).toBe(200)

      const lines = stack
        .api()
        .child.readLog()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      const paid = lines.find(({ msg, requestId }) => msg === 'request' && requestId === headers.get('x-request-id'))
      expect(paid).toMatchObject({ route: '/api/tasks', status: 200, operation: 'tasks.create', client: 'loopback' })
      const steps = lines.filter(({ msg, intentId }) => msg !== 'request' && intentId === paid.intentId)
      expect(steps.map(({ from, to }) => [from, to])).toEqual([
        [undefined, 'reserved'],
        ['reserved', 'recorded'],
        ['recorded', 'broadcast'],
        ['broadcast', 'completed'],
      ])
      expect(steps[3]).toMatchObject({
        requestId: paid.requestId,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        nonce: expect.any(Number),
      })

      const text = await (await fetch(metricsUrl)).text()
      for (const stage of [
        'preflight',
        'verify',
        'simulate',
        'bind',
        'outbox',
        'sign',
        'send',
        'mined',
        'indexed',
        'answer',
      ]) {
        expect(text).toMatch(new RegExp(`taskmarket_write_stage_seconds_count\\{stage="${stage}"\\} [1-9]`))
      }
      expect(text).toContain('taskmarket_writes_total{operation="tasks.create",outcome="completed"} 1')
      expect(text).toMatch(/taskmarket_relayer_balance_wei\{relayer="0x[0-9a-f]{40}"\} [1-9]/)
      expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds [0-9]/)
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
