import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

describe('Lifecycle writes: POST /tasks/{taskId}/cancel', () => {
  test('costs 1000 base units and refunds the escrow', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester, { reward: '2000000' })
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: requester.address, market, forwarder })
    const { status, body } = await environment.pay(requester, `/tasks/${taskId}/cancel`)
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await money.changes()).toEqual({ requester: 1_999_000n, market: -2_000_000n, forwarder: 1_000n })
    const [cancelled] = await environment.chain.marketLogs(body.txHash)
    expect(cancelled).toMatchObject({ eventName: 'TaskCancelled', args: { taskId, refund: 2_000_000n } })
  })

  test('is for the requester only; another wallet is refused and charged nothing', async () => {
    const [requester, stranger] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester)
    const money = await environment.chain.watch({ stranger: stranger.address })
    expectRefusal(await environment.pay(stranger, `/tasks/${taskId}/cancel`), 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
    expect((await environment.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })
})
