import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aSubmissionBody } from '../support/conformance-scenes.ts'

const world = openWorld()

describe('Lifecycle writes: POST /tasks/{taskId}/reject-submission', () => {
  test('costs 1000 base units and moves no other money', async () => {
    const [requester, alice] = [await world.aWallet(), anActor()]
    const taskId = await world.createTask(requester)
    await world.submit(alice, taskId)
    const { market, forwarder } = world.chain.deployment
    const money = await world.chain.watch({ requester: requester.address, alice: alice.address, market, forwarder })
    const path = `/tasks/${taskId}/reject-submission`
    const { status, body } = await world.pay(requester, path, { taskId, worker: alice.address })
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await money.changes()).toEqual({ requester: -1_000n, alice: 0n, market: 0n, forwarder: 1_000n })
    const [rejected] = await world.chain.marketLogs(body.txHash)
    expect(rejected).toMatchObject({ eventName: 'SubmissionRejected', args: { taskId, worker: alice.account.address } })
  })

  test('marks all submissions of the worker, and no one else’s, right after', async () => {
    const [requester, alice, bob] = [await world.aWallet(), anActor(), anActor()]
    const taskId = await world.createTask(requester)
    await world.submit(alice, taskId)
    await world.submit(bob, taskId)
    await world.submit(alice, taskId)
    await world.reject(requester, taskId, alice)
    const { body: rows } = await world.get(`/tasks/${taskId}/submissions`)
    expect(rows).toMatchObject([
      { workerAddress: alice.account.address, rejectedAt: expect.any(String) },
      { workerAddress: bob.account.address, rejectedAt: null },
      { workerAddress: alice.account.address, rejectedAt: expect.any(String) },
    ])
    expect((await world.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'open', submissionCount: 3 })
  })

  test('keeps the worker from entering again', async () => {
    const [requester, alice] = [await world.aWallet(), anActor()]
    const taskId = await world.createTask(requester)
    await world.submit(alice, taskId)
    await world.reject(requester, taskId, alice)
    const answer = await world.post(`/tasks/${taskId}/submissions`, { body: await aSubmissionBody(alice, taskId) })
    expectRefusal(answer, 409, 'payment_preflight_rejected')
  })

  test('is for the requester only; a stranger is charged nothing', async () => {
    const [requester, alice, stranger] = [await world.aWallet(), anActor(), await world.aWallet()]
    const taskId = await world.createTask(requester)
    await world.submit(alice, taskId)
    const money = await world.chain.watch({ stranger: stranger.address })
    const answer = await world.pay(stranger, `/tasks/${taskId}/reject-submission`, { taskId, worker: alice.address })
    expectRefusal(answer, 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
  })

  test('refuses before the 402: a worker without a submission, a second rejection, a settled task', async () => {
    const [requester, alice, bob] = [await world.aWallet(), await world.aWallet(), await world.aWallet()]
    const taskId = await world.createTask(requester)
    const reject = (worker: string) => world.post(`/tasks/${taskId}/reject-submission`, { body: { taskId, worker } })
    expectRefusal(await reject(alice.address), 409, 'payment_preflight_rejected')
    await world.submit(alice, taskId)
    await world.submit(bob, taskId)
    await world.reject(requester, taskId, alice)
    expectRefusal(await reject(alice.address), 409, 'payment_preflight_rejected')
    await world.accept(requester, taskId, bob)
    expectRefusal(await reject(bob.address), 409, 'payment_preflight_rejected')
  })
})
