import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

describe('Lifecycle writes: POST /tasks/{taskId}/accept', () => {
  test('costs 1000 base units; the worker gets the reward less the platform fee', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester, { reward: '2000001' })
    await environment.submit(alice, taskId)
    const { market, forwarder } = environment.chain.deployment
    const accounts = { requester: requester.address, alice: alice.address, market, forwarder }
    const money = await environment.chain.watch({ ...accounts, feeRecipient: await environment.chain.feeRecipient() })
    const { status, body } = await environment.pay(requester, `/tasks/${taskId}/accept`, {
      taskId,
      worker: alice.address,
    })
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    // floor(2000001 * 750 / 10000) = 150000
    expect(await money.changes()).toEqual({
      requester: -1_000n,
      alice: 1_850_001n,
      market: -2_000_001n,
      forwarder: 1_000n,
      feeRecipient: 150_000n,
    })
  })

  test("pays the worker's latest submission", async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const latest = await environment.submit(alice, taskId)
    await environment.accept(requester, taskId, alice)
    const { body: submissions } = await environment.get(`/tasks/${taskId}/submissions`)
    const { deliverableHash } = submissions.find(({ id }: { id: string }) => id === latest)
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    const [completed] = (await environment.chain.marketLogs(task.awards[0].settlementTxHash)).filter(
      ({ eventName }) => eventName === 'TaskCompleted',
    )
    expect(completed?.args).toMatchObject({ deliverable: deliverableHash })
  })

  test('is for the requester only; another wallet is refused and charged nothing', async () => {
    const [requester, alice] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const money = await environment.chain.watch({ alice: alice.address })
    const answer = await environment.pay(alice, `/tasks/${taskId}/accept`, { taskId, worker: alice.address })
    expectRefusal(answer, 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ alice: 0n })
  })

  test.each<[string, object]>([
    ['no worker', {}],
    ['a worker that is not an address', { worker: 'alice' }],
    ['the id of another task', { taskId: `0x${'56'.repeat(32)}`, worker: `0x${'78'.repeat(20)}` }],
  ])('refuses %s with 400', async (_name, body) => {
    const taskId = await environment.createTask(await environment.aWallet())
    expectRefusal(await environment.post(`/tasks/${taskId}/accept`, { body }), 400, 'payment_preflight_rejected')
  })
})
