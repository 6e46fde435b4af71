import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** Unix seconds of an ISO time. */
const secondsOf = (iso: string) => Date.parse(iso) / 1000

describe('Lifecycle writes: POST /tasks/{taskId}/update', () => {
  test('charges 1000 plus the increase of the reward, which is added to the escrow', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester, { reward: '2000000' })
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: requester.address, market, forwarder })
    const { status, body } = await environment.pay(requester, `/tasks/${taskId}/update`, { reward: '2500000' })
    expect({ status, reward: body.reward }).toEqual({ status: 200, reward: '2500000' })
    expect(await money.changes()).toEqual({ requester: -501_000n, market: 500_000n, forwarder: 1_000n })
  })

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

  test('changes the content hash with a text, and not with a term', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester)
    const { contentHash } = await environment.chain.task(taskId)
    await environment.pay(requester, `/tasks/${taskId}/update`, { reward: '3000000' })
    expect((await environment.chain.task(taskId)).contentHash).toBe(contentHash)
    await environment.pay(requester, `/tasks/${taskId}/update`, { tags: [] })
    expect((await environment.chain.task(taskId)).contentHash).not.toBe(contentHash)
  })

  test('can increase and extend after the first submission', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const expiryTime = secondsOf((await environment.get(`/tasks/${taskId}`)).body.expiryTime) + 60
    const { status, body } = await environment.pay(requester, `/tasks/${taskId}/update`, {
      reward: '2000001',
      expiryTime,
    })
    expect({ status, reward: body.reward, expiry: secondsOf(body.expiryTime) }).toEqual({
      status: 200,
      reward: '2000001',
      expiry: expiryTime,
    })
  })

  let untouched: Hex
  beforeAll(async () => {
    untouched = await environment.createTask(await environment.aWallet())
  })

  test.each<[string, object]>([
    ['no field at all', {}],
    ['a reward below 1000', { reward: '999' }],
    ['a reward that is a number', { reward: 3_000_000 }],
    ['an expiry in the past', { expiryTime: 1_600_000_000 }],
    ['an expiry that is a string', { expiryTime: '2040-01-01T00:00:00Z' }],
    ['an empty description', { description: '' }],
    ['eleven tags', { tags: Array(11).fill('tag') }],
    ['a bid deadline on a bounty', { bidDeadline: 4_000_000_000 }],
    ['a pitch deadline on a bounty', { pitchDeadline: 4_000_000_000 }],
    ['an auction floor price on a bounty', { auctionFloorPrice: '1000' }],
    ['the id of another task', { taskId: `0x${'34'.repeat(32)}`, reward: '3000000' }],
  ])('refuses %s with 400 before the 402', async (_name, body) => {
    expectRefusal(await environment.post(`/tasks/${untouched}/update`, { body }), 400, 'payment_preflight_rejected')
  })
})

/** Terms of tasks of each kind: a day, with half a day for entries. */
const kinds = {
  pitch: { mode: 'pitch', pitchDeadline: 43_200 },
  english: anAuction('english'),
  reverse_english: anAuction('reverse_english'),
  dutch: { ...anAuction('dutch'), auctionFloorPrice: '500000' },
  reverse_dutch: { ...anAuction('reverse_dutch'), auctionStartPrice: '500000' },
}
type Kind = keyof typeof kinds

function anAuction(auctionType: string) {
  return { mode: 'auction', auctionType, maxPrice: '2000000', bidDeadline: 12 }
}

describe('Lifecycle writes: update in every mode', () => {
  /** A new task of a kind, as `read` gives it. */
  async function aTaskOf(kind: Kind) {
    const requester = await environment.aWallet()
    return await read({ requester, taskId: await environment.createTask(requester, kinds[kind]) })
  }

  /** A task with its requester and its present times, and a function that updates it. */
  async function read({ requester, taskId }: { requester: Actor; taskId: Hex }) {
    const task = (await environment.get(`/tasks/${taskId}`)).body
    const expiry = secondsOf(task.expiryTime)
    const entriesEnd = secondsOf(task.pitchDeadline ?? task.bidDeadline)
    const update = (body: object) => environment.pay(requester, `/tasks/${taskId}/update`, body)
    return { requester, taskId, expiry, entriesEnd, update }
  }

  /** Tasks whose deadline of entries is moved: of the auctions one, for each has the same rule. */
  const movedKinds: Kind[] = ['pitch', 'english']
  /** A task of each kind without entries. */
  const withoutEntries = new Map<Kind, Awaited<ReturnType<typeof aTaskOf>>>()
  beforeAll(async () => {
    for (const kind of Object.keys(kinds) as Kind[]) withoutEntries.set(kind, await aTaskOf(kind))
  })
  const withoutEntriesOf = (kind: Kind) => withoutEntries.get(kind) ?? expect.fail('no task')

  const field = (kind: Kind) => (kind === 'pitch' ? 'pitchDeadline' : 'bidDeadline')

  test.each(movedKinds)(
    '%s: the deadline of entries can be moved in both directions before the first entry',
    async (kind) => {
      const { entriesEnd, update } = await read(withoutEntriesOf(kind))
      for (const deadline of [entriesEnd + 60, entriesEnd - 60]) {
        const { status, body } = await update({ [field(kind)]: deadline })
        expect({ status, deadline: secondsOf(body[field(kind)]) }).toEqual({ status: 200, deadline })
      }
    },
  )

  test.each(movedKinds)('%s: the deadline of entries is unchanged when the expiry is moved', async (kind) => {
    const { entriesEnd, expiry, update } = await read(withoutEntriesOf(kind))
    const { body } = await update({ expiryTime: expiry + 3600 })
    expect([secondsOf(body.expiryTime), secondsOf(body[field(kind)])]).toEqual([expiry + 3600, entriesEnd])
    const both = await update({ expiryTime: entriesEnd - 60, [field(kind)]: entriesEnd - 120 })
    expect([secondsOf(both.body.expiryTime), secondsOf(both.body[field(kind)])]).toEqual([
      entriesEnd - 60,
      entriesEnd - 120,
    ])
  })

  test('the clock price is changed by its own field, and the current price follows', async () => {
    const dutch = await (await aTaskOf('dutch')).update({ auctionFloorPrice: '2000000' })
    expect(dutch.body).toMatchObject({ auctionFloorPrice: '2000000', currentAuctionPrice: '2000000' })
    const reverse = await (await aTaskOf('reverse_dutch')).update({ auctionStartPrice: '2000000' })
    expect(reverse.body).toMatchObject({ auctionStartPrice: '2000000', currentAuctionPrice: '2000000' })
  })

  test('a reward of an auction is its maximum price', async () => {
    const { update, requester } = await aTaskOf('english')
    const money = await environment.chain.watch({ requester: requester.address })
    const { body } = await update({ reward: '2500000' })
    expect(body).toMatchObject({ reward: '2500000', maxPrice: '2500000' })
    expect(await money.changes()).toEqual({ requester: -501_000n })
  })

  test('after the first pitch nothing can be decreased or shortened; increase and extension are possible', async () => {
    const { taskId, entriesEnd, expiry, update } = await aTaskOf('pitch')
    await callDirectly(
      taskId,
      'pitchCount',
      encodeFunctionData({
        abi: taskMarketAbi,
        functionName: 'submitPitch',
        args: [taskId, keccak256('0x01')],
      }),
    )
    for (const body of [{ reward: '1999999' }, { expiryTime: expiry - 1 }, { pitchDeadline: entriesEnd - 1 }]) {
      expectRefusal(await environment.post(`/tasks/${taskId}/update`, { body }), 409, 'payment_preflight_rejected')
    }
    const more = { reward: '2000001', expiryTime: expiry + 1, pitchDeadline: entriesEnd + 1 }
    expect((await update(more)).status).toBe(200)
  })

  test('after the first bid an auction cannot be updated, and update is not offered', async () => {
    const { taskId, entriesEnd, expiry } = await aTaskOf('english')
    const offers = async () =>
      (await environment.get(`/tasks/${taskId}`)).body.pendingActions.map(({ action }: { action: string }) => action)
    expect(await offers()).toContain('update')
    await callDirectly(
      taskId,
      'auctionBidCount',
      encodeFunctionData({
        abi: taskMarketAbi,
        functionName: 'submitBid',
        args: [taskId, 1_000_000n],
      }),
    )
    expect(await offers()).not.toContain('update')
    const changes = [{ reward: '3000000' }, { expiryTime: expiry + 60 }, { bidDeadline: entriesEnd + 60 }]
    for (const body of [...changes, { description: 'Other words' }]) {
      expectRefusal(await environment.post(`/tasks/${taskId}/update`, { body }), 409, 'payment_preflight_rejected')
    }
  })

  /** An entry by a direct call. */
  async function callDirectly(taskId: Hex, counter: string, data: Hex): Promise<void> {
    await environment.chain.sendAs(anActor().address, { to: environment.chain.deployment.market, data })
    const count = async () => (await environment.get(`/tasks/${taskId}`)).body[counter]
    await expect.poll(count).toBe(1)
  }

  test.each<[Kind, string, object, string]>([
    ['pitch', 'a bid deadline', { bidDeadline: 4_000_000_000 }, 'bidDeadline'],
    ['pitch', 'a pitch deadline in the past', { pitchDeadline: 1_600_000_000 }, 'pitchDeadline'],
    ['pitch', 'a pitch deadline after the expiry', { pitchDeadline: 4_000_000_000 }, 'pitchDeadline'],
    ['english', 'a pitch deadline', { pitchDeadline: 4_000_000_000 }, 'pitchDeadline'],
    ['english', 'a bid deadline in the past', { bidDeadline: 1_600_000_000 }, 'bidDeadline'],
    ['english', 'a bid deadline after the expiry', { bidDeadline: 4_000_000_000 }, 'bidDeadline'],
    ['english', 'a floor price', { auctionFloorPrice: '1000' }, 'auctionFloorPrice'],
    ['reverse_english', 'a start price', { auctionStartPrice: '1000' }, 'auctionStartPrice'],
    ['dutch', 'a start price', { auctionStartPrice: '1000' }, 'auctionStartPrice'],
    ['dutch', 'a floor price of zero', { auctionFloorPrice: '0' }, 'auctionFloorPrice'],
    ['dutch', 'a floor price above the reward', { auctionFloorPrice: '2000001' }, 'auctionFloorPrice'],
    ['dutch', 'a reward below the floor price', { reward: '499999' }, 'reward'],
    ['reverse_dutch', 'a floor price', { auctionFloorPrice: '1000' }, 'auctionFloorPrice'],
    ['reverse_dutch', 'a start price above the reward', { auctionStartPrice: '2000001' }, 'auctionStartPrice'],
  ])('%s: %s is refused with 400 and its field before the 402', async (kind, _name, body, path) => {
    const answer = await environment.post(`/tasks/${withoutEntriesOf(kind).taskId}/update`, { body })
    const { issues } = expectRefusal(answer, 400, 'payment_preflight_rejected')
    expect(issues.map((issue: { path: string }) => issue.path)).toEqual([path])
  })
})
