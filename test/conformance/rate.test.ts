import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** A task that was split between two workers. */
async function aSplit(): Promise<{ taskId: Hex; requester: Actor; alice: Actor; bob: Actor }> {
  const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
  const taskId = await environment.createTask(requester)
  await environment.submit(alice, taskId)
  await environment.submit(bob, taskId)
  await environment.split(requester, taskId, [
    [alice, 6000],
    [bob, 4000],
  ])
  return { taskId, requester, alice, bob }
}

describe('Lifecycle writes: POST /tasks/{taskId}/rate', () => {
  test('costs 1000 base units and returns the id of the feedback', async () => {
    const { taskId, requester, alice } = await aSplit()
    const { forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: requester.address, alice: alice.address, forwarder })
    const body = { taskId, worker: alice.address, rating: 87, feedbackText: 'Five, seven, five — très bien' }
    const answer = await environment.pay(requester, `/tasks/${taskId}/rate`, body)
    expect(answer).toMatchObject({ status: 200, body: { success: true, feedbackId: expect.stringMatching(/^0x/) } })
    expect(await money.changes()).toEqual({ requester: -1_000n, alice: 0n, forwarder: 1_000n })
  })

  test('shows the rating in the next read: in the awards, as primary award and as feedback', async () => {
    const { taskId, requester, alice } = await aSplit()
    const feedbackText = 'Counted twice'
    const feedbackId = await environment.rate(requester, taskId, { worker: alice, rating: 87, feedbackText })
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task.primaryAward).toEqual({ workerAddress: alice.account.address, rating: 87 })
    expect(task.awards).toMatchObject([{ rating: 87 }, { rating: null }])
    const { body } = await environment.get(`/tasks/${taskId}/feedbacks`)
    expect(body.feedbacks).toEqual([
      {
        id: feedbackId,
        taskId,
        rating: 87,
        feedbackText,
        workerAgentId: null,
        requesterAgentId: null,
        workerAddress: alice.account.address,
        requesterAddress: requester.account.address,
        ratingTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        createdAt: expect.any(String),
      },
    ])
    const rated = (await environment.chain.marketLogs(body.feedbacks[0].ratingTxHash)).find(
      ({ eventName }) => eventName === 'TaskRated',
    )
    expect(rated?.args).toMatchObject({ taskId, worker: alice.account.address, rating: 87 })
  })

  test('rates each recipient of a split separately, once', async () => {
    const { taskId, requester, alice, bob } = await aSplit()
    await environment.rate(requester, taskId, { worker: bob, rating: 100 })
    await environment.rate(requester, taskId, { worker: alice, rating: 0 })
    expect((await environment.get(`/tasks/${taskId}`)).body.awards).toMatchObject([{ rating: 0 }, { rating: 100 }])
    const again = { taskId, worker: bob.address, rating: 1 }
    expectRefusal(await environment.post(`/tasks/${taskId}/rate`, { body: again }), 409, 'payment_preflight_rejected')
  })
})
