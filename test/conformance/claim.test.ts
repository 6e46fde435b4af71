import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { aClaimBody, aClaimTask } from '../support/conformance-scenes.ts'

const world = openWorld()

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/claim', () => {
  test('without a stake is free on the worker’s signature', async () => {
    const [requester, alice] = [await world.aWallet(), anActor()]
    const taskId = await world.createTask(requester, aClaimTask())
    const { status, body } = await world.post(`/tasks/${taskId}/claim`, { body: await aClaimBody(alice, taskId) })
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, claimId: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    expect((await world.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'claimed',
      claimedBy: alice.account.address,
      claimRound: 0,
    })
  })

  test('with a stake costs exactly the stake, which the market holds', async () => {
    const [requester, alice] = [await world.aWallet(), await world.aWallet()]
    const taskId = await world.createTask(requester, aClaimTask({ reward: '2000003', stakeBps: 1234 }))
    const { market, forwarder } = world.chain.deployment
    const money = await world.chain.watch({ alice: alice.address, market, forwarder })
    const { status } = await world.pay(alice, `/tasks/${taskId}/claim`, await aClaimBody(alice, taskId))
    // floor(2000003 * 1234 / 10000) = 246800
    expect(status).toBe(200)
    expect(await money.changes()).toEqual({ alice: -246_800n, market: 246_800n, forwarder: 0n })
  })
})
