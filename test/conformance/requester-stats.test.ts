import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

const none = {
  completedCount: 0,
  selfAwardCount: 0,
  cancelledAfterSubmissionsCount: 0,
  expiredNoActionCount: 0,
  staleCount: 0,
  undeliveredAuctions: 0,
  expiredAfterRejectionsCount: 0,
  totalTasksCreated: 0,
  totalSubmissionAttempts: 0,
  totalUniqueWorkers: 0,
}

const statsOf = async (address: string) => (await environment.get(`/requesters/${address}/stats`)).body

/** Moves time past the expiry of the task, and refunds it. */
async function expire(taskId: Hex, by: Awaited<ReturnType<typeof environment.aWallet>>): Promise<void> {
  await environment.chain.passTime(3601)
  expect((await environment.pay(by, `/tasks/${taskId}/refund-expired`)).status).toBe(200)
}

describe('Requester stats: GET /requesters/{address}/stats', () => {
  test('are zeros for an address without history, under both paths', async () => {
    const { address } = anActor()
    expect(await statsOf(address)).toEqual(none)
    expect((await environment.get(`/requester/${address}/stats`)).body).toEqual(none)
  })

  test('count tasks of every visibility, and take the address in any case', async () => {
    const requester = await environment.aWallet()
    await environment.createTask(requester)
    await environment.createTask(requester, { taskVisibility: 'unlisted' })
    const expected = { ...none, totalTasksCreated: 2 }
    expect(await statsOf(requester.address)).toEqual(expected)
    expect(await statsOf(requester.account.address)).toEqual(expected)
    expect((await environment.get(`/requester/${requester.account.address}/stats`)).body).toEqual(expected)
  })

  test('count completed tasks once each, and self-awards', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const [split, own] = [await environment.createTask(requester), await environment.createTask(requester)]
    await environment.submit(alice, split)
    await environment.submit(requester, split)
    await environment.split(requester, split, [
      [alice, 6000],
      [requester, 4000],
    ])
    await environment.submit(alice, own)
    await environment.accept(requester, own, alice)
    expect(await statsOf(requester.address)).toMatchObject({ completedCount: 2, selfAwardCount: 1 })
  })

  test('distinguish an expiry without a decision from one after rejections', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    await expire(await environment.createTask(requester, { duration: 1 }), requester)
    expect(await statsOf(requester.address)).toMatchObject({ expiredNoActionCount: 1, expiredAfterRejectionsCount: 0 })
    const taskId = await environment.createTask(requester, { duration: 1 })
    await environment.submit(alice, taskId)
    await environment.reject(requester, taskId, alice)
    await expire(taskId, requester)
    expect(await statsOf(requester.address)).toMatchObject({ expiredNoActionCount: 1, expiredAfterRejectionsCount: 1 })
  })

  test.each(['unknown', '0x12', `0x${'0'.repeat(64)}`])('refuse the address %s', async (address) => {
    expectRefusal(await environment.get(`/requesters/${address}/stats`), 400, 'unclassified')
  })
})
