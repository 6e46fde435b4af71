import { randomUUID } from 'node:crypto'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'

/** Answers of the auction writes before any payment. */

const [requester, alice, bob] = [anActor(), anActor(), anActor()]
const DEADLINE = START + 1000n
const EXPIRY = START + 2000n

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterEach(() => {
  api.chain.now = START
})
afterAll(() => api.stop())

const anAuction = (auctionType: string, columns: Partial<TaskColumns> = {}) => {
  const clockPrice = auctionType.endsWith('dutch') ? 1_000_000n : null
  const terms = { mode: 'auction', auctionType, bidDeadline: DEADLINE, expiryTime: EXPIRY, clockPrice }
  return api.seed.task({ requester: requester.address, createdAtMs: nextCreation(), ...terms, ...columns })
}

let created = START * 1000n
/** Within the second of `START`, when clocks begin. */
const nextCreation = () => ++created

const post = (taskId: string, verb: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(`/api/tasks/${taskId}/${verb}`, body, { 'X-Service-Idempotency-Key': randomUUID(), ...headers })

async function answerOf(taskId: string, verb: string, body: unknown, now = START) {
  api.chain.now = now
  const { status, body: answer } = await post(taskId, verb, body)
  const { issues } = answer
  return [status, answer.accepts?.[0]?.amount ?? answer.service?.reason, ...(issues ? [issues[0].path] : [])]
}

const PRICE = [402, '1000']
const refused = (status: number, field?: string) => [
  status,
  'payment_preflight_rejected',
  ...(field === undefined ? [] : [field]),
]

describe('a bid', () => {
  test.each(['english', 'reverse_english'])(
    'given an %s auction, then it costs the fee until the deadline',
    async (auctionType) => {
      const { id } = await anAuction(auctionType)
      for (const price of ['1000', '5000000', '0005000000']) {
        expect(await answerOf(id, 'bids', { price }, DEADLINE - 1n), price).toEqual(PRICE)
      }
      for (const now of [DEADLINE, DEADLINE + 1n]) {
        expect(await answerOf(id, 'bids', { price: '1000' }, now)).toEqual(refused(409))
      }
    },
  )

  test.each(['0', '00', '5000001', '-1', '1e3', '1.5', '', ' 1', '0x1', '9'.repeat(78), '9'.repeat(500), 1000, null])(
    'given the price %o, then it is refused before the challenge',
    async (price) => {
      for (const auctionType of ['english', 'reverse_english']) {
        const { id } = await anAuction(auctionType)
        expect(await answerOf(id, 'bids', { price })).toEqual(refused(400, 'price'))
      }
    },
  )

  test('given an english auction, then it must be below the lowest one', async () => {
    const task = await anAuction('english')
    await api.seed.bid(task, alice.address, 9000n)
    expect(await answerOf(task.id, 'bids', { price: '8999' })).toEqual(PRICE)
    expect(await answerOf(task.id, 'bids', { price: '9000' })).toEqual(refused(409, 'price'))
  })

  test('given another subtype or mode, or an unknown task, then it is refused', async () => {
    for (const auctionType of ['dutch', 'reverse_dutch']) {
      expect(await answerOf((await anAuction(auctionType)).id, 'bids', { price: '1000' })).toEqual(refused(409))
    }
    const bounty = await api.seed.task({ requester: requester.address })
    expect(await answerOf(bounty.id, 'bids', { price: '1000' })).toEqual(refused(409))
    expect(await answerOf(aHash(), 'bids', { price: '1000' })).toEqual(refused(404))
  })
})

describe('a sealed bid', () => {
  /** A payment that names its payer, with everything but the signature. */
  function aForgedPayment({ address }: Actor, accepted: unknown): Record<string, string> {
    const { forwarder } = api.deps.deployment
    const authorization = {
      from: address,
      to: forwarder,
      value: '1000',
      validAfter: '0',
      validBefore: String(START + 300n),
      nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    }
    const payload = { signature: `0x${'ab'.repeat(65)}`, authorization }
    const text = JSON.stringify({ x402Version: 2, accepted, payload })
    return { 'PAYMENT-SIGNATURE': Buffer.from(text).toString('base64') }
  }

  test('given any payer named in a payment, then every price gets the same answer', async () => {
    const task = await anAuction('reverse_english')
    await api.seed.bid(task, alice.address, 9000n)
    await api.seed.bid(task, bob.address, 7000n)
    Object.assign(api.chain, {
      verifyTypedData: async () => false,
      usdcBalance: async () => 10n ** 12n,
      readContract: async () => false,
    })
    const { accepts } = (await post(task.id, 'bids', { price: '1000' })).body
    const answers = new Set<string>()
    for (const price of ['1000', '6999', '7000', '8999', '9000', '9001', '5000000']) {
      for (const payer of [alice, bob, anActor()]) {
        const { status, body } = await post(task.id, 'bids', { price }, aForgedPayment(payer, accepts[0]))
        answers.add(JSON.stringify([status, body.error, body.service?.reason]))
      }
    }
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toMatch(/^\[402,.*signature.*payment_rejected/)
  })
})

describe('the clock price', () => {
  test('given a dutch auction, then it falls until the deadline, and a higher minimum is refused', async () => {
    const { id } = await anAuction('dutch')
    // 4 USDC in 1000 seconds.
    for (const [now, price] of [
      [START, 5_000_000n],
      [START + 1n, 4_996_000n],
      [DEADLINE - 1n, 1_004_000n],
      [DEADLINE, 1_000_000n],
      [EXPIRY - 1n, 1_000_000n],
    ] as const) {
      expect(await answerOf(id, 'bids/accept', { minPrice: String(price) }, now)).toEqual(PRICE)
      const more = { minPrice: String(price + 1n) }
      expect(await answerOf(id, 'bids/accept', more, now)).toEqual(refused(409, 'minPrice'))
      expect((await api.get(`/api/tasks/${id}`)).body.currentAuctionPrice).toBe(String(price))
    }
    expect(await answerOf(id, 'bids/accept', {}, EXPIRY)).toEqual(refused(409))
  })

  test('given no minimum or any amount, then it is admitted', async () => {
    const { id } = await anAuction('reverse_dutch')
    for (const body of [{}, { minPrice: '0' }, { minPrice: '1000000' }]) {
      expect(await answerOf(id, 'bids/accept', body)).toEqual(PRICE)
    }
    for (const minPrice of ['-1', '1e6', '', '9'.repeat(79), 1]) {
      expect(await answerOf(id, 'bids/accept', { minPrice })).toEqual(refused(400, 'minPrice'))
    }
  })

  test('given another subtype or mode, then it is refused', async () => {
    const bounty = await api.seed.task({ requester: requester.address })
    for (const { id } of [await anAuction('english'), await anAuction('reverse_english'), bounty]) {
      expect(await answerOf(id, 'bids/accept', {})).toEqual(refused(409))
    }
  })
})

describe('the winner', () => {
  test('given a time before the deadline or from the expiry on, no bid, or another mode, then selection is refused', async () => {
    const [task, without] = [await anAuction('english'), await anAuction('reverse_english')]
    await api.seed.bid(task, alice.address, 9000n)
    for (const now of [DEADLINE - 1n, EXPIRY]) {
      expect(await answerOf(task.id, 'bids/select-winner', {}, now)).toEqual(refused(409))
    }
    expect(await answerOf(without.id, 'bids/select-winner', {}, DEADLINE)).toEqual(refused(409))
    expect(await answerOf((await anAuction('dutch')).id, 'bids/select-winner', {}, DEADLINE)).toEqual(refused(409))
  })
})
