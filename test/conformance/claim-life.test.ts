import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()

/** A tenth of 2 USDC. */
const stake = 200_000n
const withStake = aClaimTask({ reward: '2000000', stakeBps: 1000 })

const claimStatusOf = async (taskId: Hex) => (await environment.get(`/tasks/${taskId}/claim`)).body.status

describe('States and transitions: claim', () => {
  test('open, claimed, pending_approval, completed; the worker gets the award and the stake', async () => {
    const [requester, alice] = [await environment.aWallet(), await environment.aWallet()]
    const { market } = environment.chain.deployment
    const accounts = { alice: alice.address, market, feeRecipient: await environment.chain.feeRecipient() }
    const money = await environment.chain.watch(accounts)
    const taskId = await environment.createTask(requester, withStake)
    await environment.claim(alice, taskId)
    const submissionId = await environment.submit(alice, taskId)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'pending_approval',
      phase: 'active',
      submissionWindowOpen: false,
      submissionCount: 1,
      claimedBy: alice.account.address,
    })
    expect(await claimStatusOf(taskId)).toBe('submitted')
    expect(await money.changes()).toEqual({ alice: -stake, market: 2_000_000n + stake, feeRecipient: 0n })

    await environment.accept(requester, taskId, alice)
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task).toMatchObject({
      status: 'completed',
      phase: 'resolved',
      claimedBy: alice.account.address,
      awards: [{ workerAddress: alice.account.address, grossAmount: '2000000', workerPayment: '1850000' }],
    })
    expect(await claimStatusOf(taskId)).toBe('returned')
    expect(await money.changes()).toEqual({ alice: 1_850_000n, market: 0n, feeRecipient: 150_000n })
    const { body: submissions } = await environment.get(`/tasks/${taskId}/submissions`)
    expect(submissions).toMatchObject([{ id: submissionId, workerAddress: alice.account.address }])

    await environment.rate(requester, taskId, { worker: alice, rating: 90 })
    expect((await environment.get(`/tasks/${taskId}`)).body.primaryAward).toEqual({
      workerAddress: alice.account.address,
      rating: 90,
    })
  })
})
