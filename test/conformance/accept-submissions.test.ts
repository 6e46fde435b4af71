import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const world = openWorld()

/** An open bounty with a submission of each of these workers. */
async function aContest(reward = '2000000'): Promise<{ taskId: Hex; requester: Actor; alice: Actor; bob: Actor }> {
  const [requester, alice, bob] = [await world.aWallet(), anActor(), anActor()]
  const taskId = await world.createTask(requester, { reward })
  await world.submit(alice, taskId)
  await world.submit(bob, taskId)
  return { taskId, requester, alice, bob }
}

describe('Lifecycle writes: POST /tasks/{taskId}/accept-submissions', () => {
  test('costs 1000 base units and splits the whole reward, the remainder to rank 1', async () => {
    const { taskId, requester, alice, bob } = await aContest('1000001')
    const { market, forwarder } = world.chain.deployment
    const accounts = { requester: requester.address, alice: alice.address, bob: bob.address, market, forwarder }
    const money = await world.chain.watch({ ...accounts, feeRecipient: await world.chain.feeRecipient() })
    const winners = [
      { worker: alice.address, share: 5000 },
      { worker: bob.address, share: 5000 },
    ]
    const { status, body } = await world.pay(requester, `/tasks/${taskId}/accept-submissions`, { taskId, winners })
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

  test('ranks winners by their place in the list', async () => {
    const { taskId, requester, alice, bob } = await aContest()
    await world.split(requester, taskId, [
      [bob, 1],
      [alice, 9999],
    ])
    const { body: task } = await world.get(`/tasks/${taskId}`)
    expect(task.primaryAward.workerAddress).toBe(bob.account.address)
    expect(task.awards).toMatchObject([
      { rank: 1, workerAddress: bob.account.address, grossAmount: '200' },
      { rank: 2, workerAddress: alice.account.address, grossAmount: '1999800' },
    ])
  })

  test('takes a single winner with the whole', async () => {
    const { taskId, requester, alice } = await aContest()
    await world.split(requester, taskId, [[alice, 10_000]])
    expect((await world.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'completed', awardCount: 1 })
  })

  test('pins a deliverable by submissionId, else takes the latest active one', async () => {
    const { taskId, requester, alice, bob } = await aContest()
    const { body: rows } = await world.get(`/tasks/${taskId}/submissions`)
    const pinned = rows.find((row: { workerAddress: string }) => row.workerAddress === alice.account.address)
    await world.submit(alice, taskId)
    const bobsLatest = await world.submit(bob, taskId)
    const winners = [
      { worker: alice.address, share: 6000, submissionId: pinned.id },
      { worker: bob.address, share: 4000 },
    ]
    expect((await world.pay(requester, `/tasks/${taskId}/accept-submissions`, { taskId, winners })).status).toBe(200)
    const { body: task } = await world.get(`/tasks/${taskId}`)
    const { body: after } = await world.get(`/tasks/${taskId}/submissions`)
    const latest = after.find((row: { id: string }) => row.id === bobsLatest)
    const completed = (await world.chain.marketLogs(task.awards[0].settlementTxHash)).flatMap((log) =>
      log.eventName === 'TaskCompleted' ? [log.args.deliverable] : [],
    )
    expect(completed).toEqual([pinned.deliverableHash, latest.deliverableHash])
  })

  test('is for the requester only; a stranger is charged nothing', async () => {
    const [{ taskId, alice }, stranger] = [await aContest(), await world.aWallet()]
    const money = await world.chain.watch({ stranger: stranger.address })
    const winners = [{ worker: alice.address, share: 10_000 }]
    const answer = await world.pay(stranger, `/tasks/${taskId}/accept-submissions`, { taskId, winners })
    expectRefusal(answer, 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
  })

  test('refuses with 400 what is no split', async () => {
    const { taskId, alice, bob } = await aContest()
    const splits: unknown[] = [
      undefined,
      [],
      [{ worker: alice.address, share: 9999 }],
      [
        { worker: alice.address, share: 5000 },
        { worker: bob.address, share: 5001 },
      ],
      [
        { worker: alice.address, share: 5000 },
        { worker: alice.account.address, share: 5000 },
      ],
      [
        { worker: alice.address, share: 10_000 },
        { worker: bob.address, share: 0 },
      ],
      [
        { worker: alice.address, share: 5000.5 },
        { worker: bob.address, share: 4999.5 },
      ],
      [{ worker: alice.address, share: '10000' }],
      [{ worker: 'alice', share: 10_000 }],
      [{ worker: alice.address, share: 10_000, submissionId: 'latest' }],
      Array.from({ length: 51 }, (_, index) => ({ worker: `0x${String(index).padStart(40, '0')}`, share: 196 })),
    ]
    for (const winners of splits) {
      const answer = await world.post(`/tasks/${taskId}/accept-submissions`, { body: { taskId, winners } })
      expectRefusal(answer, 400, 'payment_preflight_rejected')
    }
  })

  test('refuses a share that is less than one base unit', async () => {
    const { taskId, alice, bob } = await aContest('1000')
    const winners = [
      { worker: alice.address, share: 9999 },
      { worker: bob.address, share: 1 },
    ]
    const answer = await world.post(`/tasks/${taskId}/accept-submissions`, { body: { taskId, winners } })
    expectRefusal(answer, 400, 'payment_preflight_rejected')
  })

  test('refuses with 409 workers and submissions that do not stand in this task', async () => {
    const { taskId, requester, alice, bob } = await aContest()
    const other = await aContest()
    const { body: foreign } = await world.get(`/tasks/${other.taskId}/submissions`)
    await world.reject(requester, taskId, bob)
    const { body: rows } = await world.get(`/tasks/${taskId}/submissions`)
    const rejected = rows.find((row: { rejectedAt: unknown }) => row.rejectedAt !== null)
    const winnerLists = [
      [{ worker: bob.address, share: 10_000 }],
      [{ worker: other.alice.address, share: 10_000 }],
      [{ worker: alice.address, share: 10_000, submissionId: rejected.id }],
      [{ worker: alice.address, share: 10_000, submissionId: foreign[0].id }],
      [{ worker: alice.address, share: 10_000, submissionId: `0x${'9a'.repeat(32)}` }],
    ]
    for (const winners of winnerLists) {
      const answer = await world.post(`/tasks/${taskId}/accept-submissions`, { body: { taskId, winners } })
      expectRefusal(answer, 409, 'payment_preflight_rejected')
    }
  })
})
