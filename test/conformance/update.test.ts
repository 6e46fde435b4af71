import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const world = openWorld()

/** Unix seconds of an ISO time. */
const secondsOf = (iso: string) => Date.parse(iso) / 1000

describe('Lifecycle writes: POST /tasks/{taskId}/update', () => {
  test('charges 1000 plus the increase of the reward, which goes into escrow', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester, { reward: '2000000' })
    const { market, forwarder } = world.chain.deployment
    const money = await world.chain.watch({ requester: requester.address, market, forwarder })
    const { status, body } = await world.pay(requester, `/tasks/${taskId}/update`, { reward: '2500000' })
    expect({ status, reward: body.reward }).toEqual({ status: 200, reward: '2500000' })
    expect(await money.changes()).toEqual({ requester: -501_000n, market: 500_000n, forwarder: 1_000n })
  })

  test('charges 1000 for a decrease and gives the difference back', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester, { reward: '2000000' })
    const { market, forwarder } = world.chain.deployment
    const money = await world.chain.watch({ requester: requester.address, market, forwarder })
    const { body } = await world.pay(requester, `/tasks/${taskId}/update`, { reward: '1200000' })
    expect(body.reward).toBe('1200000')
    expect(await money.changes()).toEqual({ requester: 799_000n, market: -800_000n, forwarder: 1_000n })
  })

  test('charges 1000 for anything but the reward, and answers the full task as a GET shows it', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester)
    const before = (await world.get(`/tasks/${taskId}`)).body
    const money = await world.chain.watch({ requester: requester.address })
    const changes = { description: 'Write two haiku', tags: ['haiku', 'twice'], metricDescription: 'syllables' }
    const expiryTime = secondsOf(before.expiryTime) + 3600
    const { body } = await world.pay(requester, `/tasks/${taskId}/update`, { taskId, expiryTime, ...changes })
    expect(await money.changes()).toEqual({ requester: -1_000n })
    expect(body).toMatchObject({ ...changes, expiryTime: new Date(expiryTime * 1000).toISOString(), reward: '2000000' })
    expect((await world.get(`/tasks/${taskId}`)).body).toEqual(body)
    // The rest is as it was.
    const { createdAt, referenceCode, taskVisibility, submissionVisibility, escrowTxHash } = before
    expect(body).toMatchObject({ createdAt, referenceCode, taskVisibility, submissionVisibility, escrowTxHash })
  })

  test('is listed and searchable by its new texts right after', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester, { description: 'Brew kombucha', tags: ['tea'] })
    await world.pay(requester, `/tasks/${taskId}/update`, { description: 'Brew quassia', tags: ['bitter'] })
    const idsOf = async (query: string) =>
      (await world.get(`/tasks?requester=${requester.address}&${query}`)).body.tasks.map(({ id }: { id: string }) => id)
    expect(await idsOf('q=quassia')).toEqual([taskId])
    expect(await idsOf('tags=bitter')).toEqual([taskId])
    expect(await idsOf('q=kombucha')).toEqual([])
    expect(await idsOf('tags=tea')).toEqual([])
  })

  test('changes the content hash with a text, and leaves it with a term', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester)
    const { contentHash } = await world.chain.task(taskId)
    await world.pay(requester, `/tasks/${taskId}/update`, { reward: '3000000' })
    expect((await world.chain.task(taskId)).contentHash).toBe(contentHash)
    await world.pay(requester, `/tasks/${taskId}/update`, { tags: [] })
    expect((await world.chain.task(taskId)).contentHash).not.toBe(contentHash)
  })

  test('still increases and extends after the first submission', async () => {
    const [requester, alice] = [await world.aWallet(), anActor()]
    const taskId = await world.createTask(requester)
    await world.submit(alice, taskId)
    const expiryTime = secondsOf((await world.get(`/tasks/${taskId}`)).body.expiryTime) + 60
    const { status, body } = await world.pay(requester, `/tasks/${taskId}/update`, { reward: '2000001', expiryTime })
    expect({ status, reward: body.reward, expiry: secondsOf(body.expiryTime) }).toEqual({
      ...{ status: 200, reward: '2000001', expiry: expiryTime },
    })
  })

  test('never decreases or shortens after the first submission, not even a rejected one', async () => {
    const [requester, alice] = [await world.aWallet(), anActor()]
    const taskId = await world.createTask(requester)
    const expiryTime = secondsOf((await world.get(`/tasks/${taskId}`)).body.expiryTime) - 60
    const update = (body: object) => world.post(`/tasks/${taskId}/update`, { body })
    await world.submit(alice, taskId)
    expectRefusal(await update({ reward: '1999999' }), 409, 'payment_preflight_rejected')
    expectRefusal(await update({ expiryTime }), 409, 'payment_preflight_rejected')
    await world.reject(requester, taskId, alice)
    expectRefusal(await update({ reward: '1999999' }), 409, 'payment_preflight_rejected')
    expectRefusal(await update({ expiryTime }), 409, 'payment_preflight_rejected')
  })

  test('is for the requester only; a stranger is charged nothing', async () => {
    const [requester, stranger] = [await world.aWallet(), await world.aWallet()]
    const taskId = await world.createTask(requester)
    const money = await world.chain.watch({ stranger: stranger.address })
    const answer = await world.pay(stranger, `/tasks/${taskId}/update`, { reward: '9000000' })
    expectRefusal(answer, 403, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ stranger: 0n })
  })

  test('needs status open', async () => {
    const requester = await world.aWallet()
    const taskId = await world.createTask(requester)
    await world.cancel(requester, taskId)
    const answer = await world.post(`/tasks/${taskId}/update`, { body: { reward: '3000000' } })
    expectRefusal(answer, 409, 'payment_preflight_rejected')
  })

  let untouched: Hex
  beforeAll(async () => {
    untouched = await world.createTask(await world.aWallet())
  })

  test.each<[string, object]>([
    ['no field at all', {}],
    ['a reward below 1000', { reward: '999' }],
    ['a reward that is a number', { reward: 3_000_000 }],
    ['an expiry in the past', { expiryTime: 1_600_000_000 }],
    ['an expiry that is a text', { expiryTime: '2040-01-01T00:00:00Z' }],
    ['an empty description', { description: '' }],
    ['eleven tags', { tags: Array(11).fill('tag') }],
    ['a bid deadline on a bounty', { bidDeadline: 4_000_000_000 }],
    ['a pitch deadline on a bounty', { pitchDeadline: 4_000_000_000 }],
    ['an auction floor price on a bounty', { auctionFloorPrice: '1000' }],
    ['the id of another task', { taskId: `0x${'34'.repeat(32)}`, reward: '3000000' }],
  ])('refuses %s with 400 before the 402', async (_name, body) => {
    expectRefusal(await world.post(`/tasks/${untouched}/update`, { body }), 400, 'payment_preflight_rejected')
  })
})
