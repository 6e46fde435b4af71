import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** 2000003 * 1234 / 10000 = 246800.37, rounded down. */
const withStake = aClaimTask({ reward: '2000003', stakeBps: 1234 })
const stake = 246_800n

async function aTask(fields: Record<string, unknown>): Promise<{ taskId: Hex; path: string; requester: Actor }> {
  const requester = await environment.aWallet()
  const taskId = await environment.createTask(requester, fields)
  return { taskId, path: `/tasks/${taskId}/claim`, requester }
}

const claimOf = async (taskId: Hex) => (await environment.get(`/tasks/${taskId}/claim`)).body

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/claim', () => {
  test('without a stake is free with the worker’s signature, and visible in the next read', async () => {
    const { taskId, path } = await aTask(aClaimTask())
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      mode: 'claim',
      status: 'open',
      stakeRequired: false,
      stakeBps: 0,
      claimRound: 0,
      claimedBy: null,
      submissionWindowOpen: false,
    })
    expect(await claimOf(taskId)).toBeNull()
    const alice = anActor()
    const { status, body } = await environment.post(path, { body: await aClaimBody(alice, taskId) })
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, claimId: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task).toMatchObject({
      status: 'claimed',
      phase: 'active',
      submissionWindowOpen: true,
      claimedBy: alice.account.address,
      claimedAt: expect.stringMatching(/Z$/),
    })
    expect(await claimOf(taskId)).toEqual({
      id: body.claimId,
      taskId,
      workerAddress: alice.account.address,
      claimedAt: task.claimedAt,
      stakeAmount: '0',
      stakeTxHash: null,
      status: 'active',
    })
  })

  test('with a stake costs exactly the stake, which the market holds', async () => {
    const [{ taskId, path }, alice] = [await aTask(withStake), await environment.aWallet()]
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ stakeRequired: true, stakeBps: 1234 })
    const body = await aClaimBody(alice, taskId)
    const challenge = await environment.post(path, { body })
    expect(challenge.status).toBe(402)
    expect(challenge.body.accepts[0].amount).toBe(String(stake))
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({ alice: alice.address, market, forwarder })
    const { status, body: claimed } = await environment.pay(alice, path, body)
    expect(status).toBe(200)
    expect(await money.changes()).toEqual({ alice: -stake, market: stake, forwarder: 0n })
    expect((await environment.chain.task(taskId)).stake).toBe(stake)
    const claim = await claimOf(taskId)
    expect(claim).toMatchObject({ id: claimed.claimId, stakeAmount: String(stake), status: 'active' })
    const logs = await environment.chain.marketLogs(claim.stakeTxHash)
    expect(logs).toMatchObject([
      { eventName: 'TaskWorkerSelected', args: { taskId, worker: alice.account.address, stake } },
    ])
  })

  test('a stake must be paid by the worker; another payer is refused and charged nothing', async () => {
    const [{ taskId, path }, alice, bob] = [await aTask(withStake), anActor(), await environment.aWallet()]
    const money = await environment.chain.watch({ bob: bob.address })
    const answer = await environment.pay(bob, path, await aClaimBody(alice, taskId))
    expectRefusal(answer, 403, 'payment_payer_mismatch')
    expect(await money.changes()).toEqual({ bob: 0n })
    expect((await environment.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })
})
