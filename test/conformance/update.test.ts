import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

/** Unix seconds of an ISO time. */
const secondsOf = (iso: string) => Date.parse(iso) / 1000

describe('Lifecycle writes: POST /tasks/{taskId}/update', () => {
  test('charges 1000 for a decrease and refunds the difference', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester, { reward: '2000000' })
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: requester.address, market, forwarder })
    const { body } = await environment.pay(requester, `/tasks/${taskId}/update`, { reward: '1200000' })
    expect(body.reward).toBe('1200000')
    expect(await money.changes()).toEqual({ requester: 799_000n, market: -800_000n, forwarder: 1_000n })
  })

  test('charges 1000 for other fields, and returns the full task as a GET does', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester)
    const before = (await environment.get(`/tasks/${taskId}`)).body
    const money = await environment.chain.watch({ requester: requester.address })
    const changes = { description: 'Write two haiku', tags: ['haiku', 'twice'], metricDescription: 'syllables' }
    const expiryTime = secondsOf(before.expiryTime) + 3600
    const { body } = await environment.pay(requester, `/tasks/${taskId}/update`, { taskId, expiryTime, ...changes })
    expect(await money.changes()).toEqual({ requester: -1_000n })
    expect(body).toMatchObject({ ...changes, expiryTime: new Date(expiryTime * 1000).toISOString(), reward: '2000000' })
    expect((await environment.get(`/tasks/${taskId}`)).body).toEqual(body)
    // All other fields are unchanged.
    const { createdAt, referenceCode, taskVisibility, submissionVisibility, escrowTxHash } = before
    expect(body).toMatchObject({ createdAt, referenceCode, taskVisibility, submissionVisibility, escrowTxHash })
  })

  test('is listed and found by its new texts in the next read', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester, { description: 'Brew kombucha', tags: ['tea'] })
    await environment.pay(requester, `/tasks/${taskId}/update`, { description: 'Brew quassia', tags: ['bitter'] })
    const idsOf = async (query: string) =>
      (await environment.get(`/tasks?requester=${requester.address}&${query}`)).body.tasks.map(
        ({ id }: { id: string }) => id,
      )
    expect(await idsOf('q=quassia')).toEqual([taskId])
    expect(await idsOf('tags=bitter')).toEqual([taskId])
    expect(await idsOf('q=kombucha')).toEqual([])
    expect(await idsOf('tags=tea')).toEqual([])
  })
})
