import type { Hex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask, aForfeitBody } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()

/** Duration of an expiring task, seconds. Time moves for the whole stack: keep it short. */
const life = 15
/** A tenth of 2 USDC. */
const stake = 200_000n

afterEach(() => environment.chain.request('evm_setAutomine', [true]))

interface Claimed {
  taskId: Hex
  path: string
  requester: Actor
  alice: Actor
}

async function aClaimedTask(fields: { stakeBps?: number } = {}): Promise<Claimed> {
  const [requester, alice] = [await environment.aWallet(), await environment.aWallet()]
  const taskId = await environment.createTask(requester, aClaimTask({ duration: life / 3600, ...fields }))
  await environment.claim(alice, taskId)
  return { taskId, path: `/tasks/${taskId}/forfeit`, requester, alice }
}

/** Moves time past the expiry of a task, and waits until reads, which may be one second behind, show it. */
async function expire(taskId: Hex): Promise<void> {
  await environment.chain.passTime(life)
  const phaseOf = async () => (await environment.get(`/tasks/${taskId}`)).body.phase
  await expect.poll(phaseOf).toBe('awaiting_settlement')
}

async function watchMoney({ requester, alice }: Claimed) {
  const { market } = environment.chain.deployment
  const feeRecipient = await environment.chain.feeRecipient()
  return await environment.chain.watch({ requester: requester.address, alice: alice.address, market, feeRecipient })
}

describe('Lifecycle writes: POST /tasks/{taskId}/forfeit', () => {
  test('is free with the requester’s signature: the task is open again, the fee recipient gets the stake', async () => {
    const claimed = await aClaimedTask({ stakeBps: 1000 })
    const { taskId, path, requester } = claimed
    await expire(taskId)
    const money = await watchMoney(claimed)
    const { status, body } = await environment.post(path, { body: await aForfeitBody(requester, taskId) })
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    expect(await money.changes()).toEqual({ requester: 0n, alice: 0n, market: -stake, feeRecipient: stake })
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'open',
      phase: 'awaiting_settlement',
      claimedBy: null,
      claimedAt: null,
      claimRound: 1,
    })
    expect((await environment.get(`/tasks/${taskId}/claim`)).body).toMatchObject({ status: 'forfeited' })
    const [forfeited, reopened] = await environment.chain.marketLogs(body.txHash)
    expect(forfeited).toMatchObject({ eventName: 'StakeForfeited', args: { amount: stake } })
    expect(reopened).toMatchObject({ eventName: 'TaskReopened', args: { taskId, round: 1 } })
  })
})

describe('Lifecycle writes: POST /tasks/{taskId}/refund-expired of a claimed task', () => {
  test('refunds the escrow, and the fee recipient gets the stake of the worker without a delivery', async () => {
    const claimed = await aClaimedTask({ stakeBps: 1000 })
    const { taskId } = claimed
    await expire(taskId)
    const stranger = await environment.aWallet()
    const money = await watchMoney(claimed)
    expect((await environment.pay(stranger, `/tasks/${taskId}/refund-expired`)).status).toBe(200)
    expect(await money.changes()).toEqual({
      requester: 2_000_000n,
      alice: 0n,
      market: -2_000_000n - stake,
      feeRecipient: stake,
    })
    expect((await environment.get(`/tasks/${taskId}`)).body.status).toBe('expired')
    expect((await environment.get(`/tasks/${taskId}/claim`)).body.status).toBe('forfeited')
  })
})
