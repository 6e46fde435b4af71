import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

describe('Lifecycle writes: POST /tasks/{taskId}/reject-submission', () => {
  test('costs 1000 base units and moves no other money', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({
      requester: requester.address,
      alice: alice.address,
      market,
      forwarder,
    })
    const path = `/tasks/${taskId}/reject-submission`
    const { status, body } = await environment.pay(requester, path, { taskId, worker: alice.address })
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await money.changes()).toEqual({ requester: -1_000n, alice: 0n, market: 0n, forwarder: 1_000n })
    const [rejected] = await environment.chain.marketLogs(body.txHash)
    expect(rejected).toMatchObject({ eventName: 'SubmissionRejected', args: { taskId, worker: alice.account.address } })
  })

  test('marks all submissions of the worker, and no others, in the next read', async () => {
    const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    await environment.submit(bob, taskId)
    await environment.submit(alice, taskId)
    await environment.reject(requester, taskId, alice)
    const { body: rows } = await environment.get(`/tasks/${taskId}/submissions`)
    expect(rows).toMatchObject([
      { workerAddress: alice.account.address, rejectedAt: expect.any(String) },
      { workerAddress: bob.account.address, rejectedAt: null },
      { workerAddress: alice.account.address, rejectedAt: expect.any(String) },
    ])
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'open', submissionCount: 3 })
  })

  test('is for the requester only; another wallet is refused and charged nothing', async () => {
    const [requester, alice, stranger] = [await environment.aWallet(), anActor(), await environment.aWallet()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const money = await environment.chain.watch({ stranger: stranger.address })
    const answer = await environment.pay(stranger, `/tasks/${taskId}/reject-submission`, {
      taskId,
      worker: alice.address,
    })
    expectRefusal(answer, 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
  })
})
