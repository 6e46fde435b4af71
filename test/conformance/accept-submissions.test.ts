import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

/** An open bounty with a submission of each of these workers. */
async function aContest(reward = '2000000'): Promise<{ taskId: Hex; requester: Actor; alice: Actor; bob: Actor }> {
  const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
  const taskId = await environment.createTask(requester, { reward })
  await environment.submit(alice, taskId)
  await environment.submit(bob, taskId)
  return { taskId, requester, alice, bob }
}

describe('Lifecycle writes: POST /tasks/{taskId}/accept-submissions', () => {
  test('costs 1000 base units and splits the whole reward, the remainder to rank 1', async () => {
    const { taskId, requester, alice, bob } = await aContest('1000001')
    const { market, forwarder } = environment.chain.deployment
    const accounts = { requester: requester.address, alice: alice.address, bob: bob.address, market, forwarder }
    const money = await environment.chain.watch({ ...accounts, feeRecipient: await environment.chain.feeRecipient() })
    const winners = [
      { worker: alice.address, share: 5000 },
      { worker: bob.address, share: 5000 },
    ]
    const { status, body } = await environment.pay(requester, `/tasks/${taskId}/accept-submissions`, {
      taskId,
      winners,
    })
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    // Grosses 500001 and 500000; fees floor(500001 * 750 / 10000) = 37500 and 37500.
    expect(await money.changes()).toEqual({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -1_000_001n,
      alice: 462_501n,
      bob: 462_500n,
      feeRecipient: 75_000n,
    })
  })

  test('uses the submission of submissionId, otherwise the latest active one', async () => {
    const { taskId, requester, alice, bob } = await aContest()
    const { body: rows } = await environment.get(`/tasks/${taskId}/submissions`)
    const pinned = rows.find((row: { workerAddress: string }) => row.workerAddress === alice.account.address)
    await environment.submit(alice, taskId)
    const bobsLatest = await environment.submit(bob, taskId)
    const winners = [
      { worker: alice.address, share: 6000, submissionId: pinned.id },
      { worker: bob.address, share: 4000 },
    ]
    expect((await environment.pay(requester, `/tasks/${taskId}/accept-submissions`, { taskId, winners })).status).toBe(
      200,
    )
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    const { body: after } = await environment.get(`/tasks/${taskId}/submissions`)
    const latest = after.find((row: { id: string }) => row.id === bobsLatest)
    const completed = (await environment.chain.marketLogs(task.awards[0].settlementTxHash)).flatMap((log) =>
      log.eventName === 'TaskCompleted' ? [log.args.deliverable] : [],
    )
    expect(completed).toEqual([pinned.deliverableHash, latest.deliverableHash])
  })
})
