import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const world = openWorld()

describe('Lifecycle writes: POST /tasks/{taskId}/cancel', () => {
  test('costs 1000 base units and gives the escrow back', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester, { reward: '2000000' })
    const { market, forwarder } = world.chain.deployment
    const money = await world.chain.watch({ requester: requester.address, market, forwarder })
    const { status, body } = await world.pay(requester, `/tasks/${taskId}/cancel`)
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await money.changes()).toEqual({ requester: 1_999_000n, market: -2_000_000n, forwarder: 1_000n })
    const [cancelled] = await world.chain.marketLogs(body.txHash)
    expect(cancelled).toMatchObject({ eventName: 'TaskCancelled', args: { taskId, refund: 2_000_000n } })
  })

  test('is visible right after its answer', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester)
    await world.cancel(requester, taskId)
    expect((await world.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'cancelled',
      phase: 'resolved',
      submissionWindowOpen: false,
      pendingActions: [],
      awards: [],
    })
  })

  test('takes no body, and ignores one', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester)
    const { status } = await world.pay(requester, `/tasks/${taskId}/cancel`, { taskId: 'another', reason: 'none' })
    expect(status).toBe(200)
  })

  test('is for the requester only; a stranger is charged nothing', async () => {
    const [requester, stranger] = [await world.aWallet(), await world.aWallet()]
    const taskId = await world.createTask(requester)
    const money = await world.chain.watch({ stranger: stranger.address })
    expectRefusal(await world.pay(stranger, `/tasks/${taskId}/cancel`), 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
    expect((await world.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })

  test('is blocked while a submission is active, until every active worker is rejected', async () => {
    const [requester, alice, bob] = [await world.aWallet(), anActor(), anActor()]
    const taskId = await world.createTask(requester)
    const cancel = () => world.post(`/tasks/${taskId}/cancel`)
    await world.submit(alice, taskId)
    await world.submit(bob, taskId)
    expectRefusal(await cancel(), 409, 'payment_preflight_rejected')
    await world.reject(requester, taskId, alice)
    expectRefusal(await cancel(), 409, 'payment_preflight_rejected')
    await world.reject(requester, taskId, bob)
    await world.cancel(requester, taskId)
    expect((await world.get(`/tasks/${taskId}`)).body.status).toBe('cancelled')
  })

  test('needs status open: a second time, and after acceptance, it is refused before the 402', async () => {
    const [requester, alice] = [await world.aWallet(), anActor()]
    const cancelled = await world.createTask(requester)
    await world.cancel(requester, cancelled)
    const completed = await world.createTask(requester)
    await world.submit(alice, completed)
    await world.accept(requester, completed, alice)
    for (const taskId of [cancelled, completed]) {
      expectRefusal(await world.post(`/tasks/${taskId}/cancel`), 409, 'payment_preflight_rejected')
    }
  })

  test('refuses an unknown task with 404', async () => {
    expectRefusal(await world.post(`/tasks/0x${'12'.repeat(32)}/cancel`), 404, 'payment_preflight_rejected')
  })
})
