import { getAddress } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Transaction } from '../../../api/db/client.ts'
import { listLiveBids } from '../../../api/features/bids/bids.queries.ts'
import { bidSchema, myBidSchema } from '../../../api/features/bids/bids.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [requester, alice, bob, carol] = [anActor(), anActor(), anActor(), anActor()]
const DEADLINE = START + 1000n

const api = aStartedApi()
beforeAll(async () => {
  await api.seed.agent(bob.address, { agentId: 7n })
})
afterEach(() => {
  api.chain.now = START
})

const anAuction = (auctionType: string, texts?: { taskVisibility: 'private' }) =>
  api.seed.task({ requester: requester.address, mode: 'auction', auctionType, bidDeadline: DEADLINE }, texts)

const readBids = async (taskId: string, as?: Actor) => {
  const { status, body } = await api.get(`/api/tasks/${taskId}/bids`, as && (await readHeadersOf(as)))
  expect(status).toBe(200)
  return z.array(bidSchema).parse(body)
}

const isoOf = (unixSeconds: bigint) => new Date(Number(unixSeconds) * 1000).toISOString()

describe('in an english auction', () => {
  test('given several, then every bid is open, the leading one first, of equal ones the earlier', async () => {
    const task = await anAuction('english')
    const bids = [
      await api.seed.bid(task, alice.address, 900n, START + 1n),
      await api.seed.bid(task, bob.address, 700n, START + 2n),
      await api.seed.bid(task, carol.address, 700n, START + 3n),
    ]
    const open = { taskId: task.id, workerAgentId: null }
    expect(await readBids(task.id)).toEqual([
      {
        ...open,
        id: bids[1]?.id,
        workerAddress: getAddress(bob.address),
        workerAgentId: '7',
        price: '700',
        createdAt: isoOf(START + 2n),
      },
      {
        ...open,
        id: bids[2]?.id,
        workerAddress: getAddress(carol.address),
        price: '700',
        createdAt: isoOf(START + 3n),
      },
      {
        ...open,
        id: bids[0]?.id,
        workerAddress: getAddress(alice.address),
        price: '900',
        createdAt: isoOf(START + 1n),
      },
    ])
  })

  test('given a caller, then their own are marked', async () => {
    const task = await anAuction('english')
    await api.seed.bid(task, alice.address, 900n)
    await api.seed.bid(task, bob.address, 700n)
    expect((await readBids(task.id, alice)).map(({ isMyBid }) => isMyBid)).toEqual([false, true])
    expect((await readBids(task.id, carol)).map(({ isMyBid }) => isMyBid)).toEqual([false, false])
  })

  test('given a later bid of a worker, then it replaces the earlier one', async () => {
    const task = await anAuction('english')
    const first = await api.seed.bid(task, alice.address, 900n, START + 1n)
    const second = await api.seed.bid(task, alice.address, 500n, START + 9n)
    expect(second.id).toBe(first.id)
    expect(await readBids(task.id)).toMatchObject([{ id: first.id, price: '500', createdAt: isoOf(START + 9n) }])
    expect((await api.get(`/api/tasks/${task.id}`)).body).toMatchObject({
      auctionBidCount: 1,
      currentLowestBid: '500',
      claimedBy: null,
      netReward: null,
    })
  })
})

describe('in a reverse english auction', () => {
  async function aSealedAuction() {
    const task = await anAuction('reverse_english')
    await api.seed.bid(task, alice.address, 900n, START + 11n)
    await api.seed.bid(task, bob.address, 700n, START + 22n)
    await api.seed.bid(task, carol.address, 800n, START + 33n)
    return task
  }

  // `test/unit/domain/sealed-bids.test.ts` has the second of the deadline.
  test('given the last second before the deadline, then no caller learns anything of a bid; at it every caller sees every bid', async () => {
    const task = await aSealedAuction()
    api.chain.now = DEADLINE - 1n
    const sealed = {
      id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      taskId: task.id,
      workerAddress: null,
      workerAgentId: null,
      price: null,
      createdAt: isoOf(task.createdAtMs / 1000n),
    }
    expect(await readBids(task.id)).toEqual([sealed, sealed, sealed])
    const forRequester = { ...sealed, isMyBid: false }
    expect(await readBids(task.id, requester)).toEqual([forRequester, forRequester, forRequester])
    api.chain.now = DEADLINE
    expect(await readBids(task.id)).toMatchObject([
      { workerAddress: getAddress(bob.address), workerAgentId: '7', price: '700', createdAt: isoOf(START + 22n) },
      { workerAddress: getAddress(carol.address), price: '800' },
      { workerAddress: getAddress(alice.address), price: '900' },
    ])
  })

  test('given a bidder, then their own bid is open, and the others are as sealed as for any caller', async () => {
    const task = await aSealedAuction()
    const mine = (await readBids(task.id, bob)).filter(({ isMyBid }) => isMyBid)
    expect(mine).toMatchObject([
      { price: '700', workerAddress: getAddress(bob.address), createdAt: isoOf(START + 22n) },
    ])
    const others = (await readBids(task.id, bob)).filter(({ isMyBid }) => !isMyBid)
    expect(others.map(({ price, workerAddress }) => [price, workerAddress])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test('given a guess, then no id can be derived; each stays the same, and each bid gets its own when it is opened', async () => {
    const task = await anAuction('reverse_english')
    const { id } = await api.seed.bid(task, alice.address, 900n)
    const [before] = await readBids(task.id)
    expect(before?.id).not.toBe(id)
    await api.seed.bid(task, alice.address, 100n, START + 5n)
    expect(await readBids(task.id, carol)).toEqual([{ ...before, isMyBid: false }])
    api.chain.now = DEADLINE
    expect(await readBids(task.id)).toMatchObject([{ id }])
  })

  test('given any bidders, prices and times, then the order is the same', async () => {
    const bidders = Array.from({ length: 12 }, () => anActor())
    const task = await anAuction('reverse_english')
    for (const [index, bidder] of bidders.entries()) {
      await api.seed.bid(task, bidder.address, 1000n - BigInt(index), START + BigInt(index))
    }
    const sealed = (await readBids(task.id)).map(({ id }) => id)
    expect(sealed).toEqual(sealed.toSorted())
    for (const [index, bidder] of bidders.entries()) {
      await api.seed.bid(task, bidder.address, 500n + BigInt(index), START + 100n - BigInt(index))
    }
    expect((await readBids(task.id)).map(({ id }) => id)).toEqual(sealed)
  })

  test('given the task before the deadline, then no field and no offer reveals a bid', async () => {
    const [task, other] = [await aSealedAuction(), await anAuction('reverse_english')]
    for (const [index, { address }] of [carol, bob, alice].entries()) {
      await api.seed.bid(other, address, BigInt(index) + 1n, START + BigInt(index))
    }
    const detailOf = async ({ id, createdAtMs }: typeof task) => {
      const { body } = await api.get(`/api/tasks/${id}`)
      const text = JSON.stringify(body).replaceAll(id, '<id>').replaceAll(body.referenceCode, '<code>')
      const same = text.replaceAll(body.termsHash, '<terms>').replaceAll(body.escrowTxHash, '<tx>')
      return same.replaceAll(new Date(Number(createdAtMs)).toISOString(), '<created>')
    }
    api.chain.now = DEADLINE - 1n
    expect(await detailOf(task)).toBe(await detailOf(other))
    expect((await api.get(`/api/tasks/${task.id}`)).body).toMatchObject({ auctionBidCount: 3, currentLowestBid: null })
    api.chain.now = DEADLINE
    expect((await api.get(`/api/tasks/${task.id}`)).body).toMatchObject({ auctionBidCount: 3, currentLowestBid: '700' })
  })
})

test('given no bid, or a task without bids, then the list is empty', async () => {
  const bounty = await api.seed.task({ requester: requester.address })
  for (const { id } of [await anAuction('english'), await anAuction('dutch'), bounty]) {
    expect(await readBids(id)).toEqual([])
  }
})

describe('the live bids of a wallet', () => {
  const aLiveAuction = (columns: Partial<TaskColumns> = {}, texts?: { taskVisibility: 'private' | 'unlisted' }) =>
    api.seed.task(
      { requester: requester.address, mode: 'auction', auctionType: 'english', bidDeadline: DEADLINE, ...columns },
      texts,
    )

  const read = async (actor: Actor, query = '') => await api.get(`/api/bids/my${query}`, await readHeadersOf(actor))
  const taskIdsOf = async (actor: Actor, query = '') =>
    z
      .array(myBidSchema)
      .parse((await read(actor, query)).body)
      .map(({ taskId }) => taskId)

  async function aDevice(actor: Actor, { signs = true } = {}): Promise<{ deviceId: string; apiToken: string }> {
    const signature = await actor.account.signMessage({ message: `service:device-register:${actor.address}` })
    return (await api.post('/api/devices', { walletAddress: actor.address, ...(signs && { signature }) })).body
  }

  test('given a bidder, then their own price is shown, and of the others what is open', async () => {
    const alice = anActor()
    const english = await aLiveAuction()
    const sealed = await aLiveAuction({ auctionType: 'reverse_english', bidDeadline: DEADLINE + 1n })
    for (const task of [english, sealed]) {
      await api.seed.bid(task, alice.address, 900n)
      await api.seed.bid(task, bob.address, 700n)
    }
    const { status, body, headers } = await read(alice)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('private')
    expect(body).toEqual([
      {
        taskId: english.id,
        auctionType: 'english',
        myBidPrice: '900',
        currentLowestBid: '700',
        bidCount: 2,
        bidDeadline: isoOf(DEADLINE),
        taskStatus: 'open',
      },
      {
        taskId: sealed.id,
        auctionType: 'reverse_english',
        myBidPrice: '900',
        currentLowestBid: null,
        bidCount: 2,
        bidDeadline: isoOf(DEADLINE + 1n),
        taskStatus: 'open',
      },
    ])
  })

  test('given the second of its deadline, or a task that is not open, then a bid is not listed', async () => {
    const alice = anActor()
    const task = await aLiveAuction()
    const claimed = await aLiveAuction({ status: 'claimed' })
    for (const { id, bidDeadline } of [task, claimed]) await api.seed.bid({ id, bidDeadline }, alice.address, 900n)
    for (const [now, seen] of [[DEADLINE - 1n, [task.id]] as const, [DEADLINE, []] as const]) {
      api.chain.now = now
      expect(await taskIdsOf(alice)).toEqual(seen)
    }
  })

  // `test/api/http/caller.test.ts` and `test/api/devices/public-keys.test.ts` have the failures of an identity and of a device.
  test('given a device verified by its wallet, then it reads for it; given another or an ended one, then 403', async () => {
    const alice = anActor()
    const task = await aLiveAuction()
    await api.seed.bid(task, alice.address, 900n)
    const asDevice = ({ deviceId, apiToken }: { deviceId: string; apiToken: string }) =>
      api.get(`/api/bids/my?deviceId=${deviceId}`, { 'X-Service-Api-Token': apiToken })
    const device = await aDevice(alice)
    expect((await asDevice(device)).body).toMatchObject([{ taskId: task.id }])
    // The token belongs into the header: a URL is written to logs.
    const inUrl = await api.get(`/api/bids/my?deviceId=${device.deviceId}&apiToken=${device.apiToken}`)
    expect([inUrl.status, inUrl.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect((await asDevice(await aDevice(alice, { signs: false }))).status).toBe(403)
    const headers = { 'X-Service-Api-Token': device.apiToken }
    await api.app.request(`/api/devices/${device.deviceId}`, { method: 'DELETE', headers })
    expect((await asDevice(device)).status).toBe(403)
  })

  test('given private tasks that the bidder must not see any more, then pages leave out no other bid', async () => {
    const alice = anActor()
    const seen: string[] = []
    const isHidden = (index: number) => ![1, 4, 5, 110].includes(index)
    for (let index = 0; index <= 110; index++) {
      const taskVisibility = isHidden(index) ? 'private' : 'unlisted'
      const task = await aLiveAuction({ bidDeadline: DEADLINE + BigInt(index) }, { taskVisibility })
      await api.seed.bid(task, alice.address, 900n)
      if (!isHidden(index)) seen.push(task.id)
    }
    for (const limit of [1, 3]) {
      const pages: string[] = []
      for (let page = await taskIdsOf(alice, `?limit=${limit}`); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(limit)
        pages.push(...page)
        page = await taskIdsOf(alice, `?limit=${limit}&after=${page.at(-1)}`)
      }
      expect(pages).toEqual(seen)
    }
  })

  /** The same statements, each explained: fragments of a statement do not begin with a verb. */
  function explaining(sql: Transaction): Transaction {
    const tag = ([first = '', ...rest]: TemplateStringsArray, ...values: never[]) => {
      const texts = [/^\s*select/.test(first) ? `explain ${first}` : first, ...rest]
      return sql(Object.assign(texts, { raw: texts }), ...values)
    }
    return tag as never
  }

  test('given any number of other bids of the worker, then the index of deadlines serves the list', async () => {
    const plan = await api.sql.begin(async (tx) => {
      // With few rows a scan, or a sort of the rows that any index finds, would be faster.
      for (const name of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) await tx`set local ${tx(name)} = off`
      return await listLiveBids(explaining(tx), bob.address, { now: START, limit: 10, after: aHash() })
    })
    expect(JSON.stringify(plan)).toMatch(/Index Scan using bid_worker_bid_deadline_task_id/)
    expect(JSON.stringify(plan)).not.toContain('Sort')
  })
})
