import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** Duration of an expiring task, seconds. Time moves for the whole stack: keep it short. */
const life = 15
const duration = life / 3600

/** The derived state of a task in the answer. */
async function stateOf(taskId: Hex) {
  const { status, phase, submissionWindowOpen } = (await environment.get(`/tasks/${taskId}`)).body
  return { status, phase, submissionWindowOpen }
}

/** Moves time past the expiry of a task, and waits until reads, which may be one second behind, show it. */
async function expire(taskId: Hex): Promise<void> {
  await environment.chain.passTime(life)
  await expect.poll(async () => (await stateOf(taskId)).phase).not.toBe('active')
}

async function aBounty(fields: Record<string, unknown> = {}): Promise<{ taskId: Hex; requester: Actor; alice: Actor }> {
  const [requester, alice] = [await environment.aWallet(), anActor()]
  return { taskId: await environment.createTask(requester, fields), requester, alice }
}

describe('States and transitions: bounty', () => {
  test('open, the requester accepts one: completed, awards recorded', async () => {
    const { taskId, requester, alice } = await aBounty()
    await environment.submit(alice, taskId)
    await environment.accept(requester, taskId, alice)
    expect(await stateOf(taskId)).toEqual({ status: 'completed', phase: 'resolved', submissionWindowOpen: false })
    expect((await environment.get(`/tasks/${taskId}`)).body.awards).toHaveLength(1)
  })

  test('open, the requester cancels: cancelled', async () => {
    const { taskId, requester } = await aBounty()
    await environment.cancel(requester, taskId)
    expect(await stateOf(taskId)).toEqual({ status: 'cancelled', phase: 'resolved', submissionWindowOpen: false })
  })
})

describe('States and transitions: expiry', () => {
  test('expiry does not change the status; the phase is awaiting_settlement and the submission window is closed', async () => {
    const { taskId, alice } = await aBounty({ duration })
    await expire(taskId)
    expect(await stateOf(taskId)).toEqual({
      status: 'open',
      phase: 'awaiting_settlement',
      submissionWindowOpen: false,
    })
    const body = await aSubmissionBody(alice, taskId)
    expectRefusal(await environment.post(`/tasks/${taskId}/submissions`, { body }), 409, 'payment_preflight_rejected')
  })
})

describe('Lifecycle writes: POST /tasks/{taskId}/refund-expired', () => {
  test('is refused before the expiry', async () => {
    const { taskId } = await aBounty()
    expectRefusal(await environment.post(`/tasks/${taskId}/refund-expired`), 409, 'payment_preflight_rejected')
  })

  test('anyone may call it for 1000 base units; the escrow goes to the requester and the task is expired', async () => {
    const [{ taskId, requester }, stranger] = [await aBounty({ duration }), await environment.aWallet()]
    await expire(taskId)
    const { market, forwarder } = environment.chain.deployment
    const accounts = { requester: requester.address, stranger: stranger.address, market, forwarder }
    const money = await environment.chain.watch(accounts)
    const { status, body } = await environment.pay(stranger, `/tasks/${taskId}/refund-expired`)
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await money.changes()).toEqual({
      requester: 2_000_000n,
      stranger: -1_000n,
      market: -2_000_000n,
      forwarder: 1_000n,
    })
    expect(await stateOf(taskId)).toEqual({ status: 'expired', phase: 'resolved', submissionWindowOpen: false })
    expectRefusal(await environment.post(`/tasks/${taskId}/refund-expired`), 409, 'payment_preflight_rejected')
  })
})
