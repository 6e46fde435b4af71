import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../../client/src/account/account.ts'
import { taskViewAbi } from '../../../client/src/chain/task-view.ts'
import type { ClientOptions } from '../../../client/src/create-client.ts'
import {
  type Answer,
  challenge,
  creation,
  type HostileService,
  place,
  type Sent,
  signer,
  startHostileService,
  taskId,
  worker,
} from './hostile-service.ts'

let service: HostileService
/** What the service answers to the next requests, and the number that its node answers. */
let answer: (sent: Sent) => Answer
let word = 0n

beforeAll(async () => {
  service = await startHostileService()
  service.answer = (sent) => (sent.path === '/node' ? ofNode(sent.body) : answer(sent))
})

beforeEach(() => service.reset())

afterEach(() => {
  vi.useRealTimers()
})

afterAll(() => service.stop())

/** The words of a task: its reward, and zeros. */
const taskWords = () => taskViewAbi[0].outputs[0].components.map(({ name }) => (name === 'reward' ? word : 0n))

function ofNode(call: string): Answer {
  const now = `0x${Math.floor(Date.now() / 1000).toString(16)}`
  const words = call.includes(place.usdc) ? [word] : taskWords()
  const data = `0x${words.map((number) => number.toString(16).padStart(64, '0')).join('')}`
  return { status: 200, body: { result: call.includes('eth_getBlockByNumber') ? { timestamp: now } : data } }
}

/** A client at a deployment of before bound payments. */
const aMarket = (options: Partial<ClientOptions> = {}) => service.aMarket({ deployment: place, ...options })

const refusal = (status: number, reason: string): Answer => ({ status, body: { error: reason, service: { reason } } })

/** Asks for the reward of a task, and answers its payment so. */
const answerPayment =
  (then: Answer) =>
  ({ payment }: Sent) =>
    payment === null ? challenge(5_000_000n) : then

describe('A write with a hostile service, wallet or file', () => {
  test('given a wallet whose owner declines, then the write is refused, and its key is free for another call', async () => {
    answer = () => challenge(5_000_000n)
    const declining: Account = {
      ...signer,
      signTypedData: async () => {
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      },
    }
    const market = aMarket({ account: declining })
    expect(await market.write('createTask', creation)).toMatchObject({
      kind: 'refused',
      reason: 'signing_failed',
      message: 'User rejected the request.',
    })
    expect(market.entries()).toMatchObject([{ state: 'refused', runs: {} }])
  })

  test.each([
    { intentStatus: 'completed', outcome: { kind: 'completed', txHash: taskId } },
    { intentStatus: 'failed', outcome: { kind: 'refused', reason: 'write_failed', isKeyUsable: false } },
    {
      intentStatus: 'broadcast',
      outcome: { kind: 'inFlight', message: expect.not.stringMatching(/no write under/) },
    },
  ])('given a free write that is $intentStatus without a readable record, then its answer counts', async (row) => {
    const { intentStatus, outcome } = row
    const service = { reason: 'idempotency_key_reused', intentStatus, txHash: taskId }
    answer = ({ method }) =>
      method === 'POST' ? { status: 409, body: { error: 'Used.', service } } : refusal(404, 'intent_not_found')
    expect(await aMarket().write('pushCredit', { address: signer.address })).toMatchObject(outcome)
  })

  test.each(['idempotency_key_payload_mismatch', 'payment_rejected'])(
    'given a service that takes payments and answers %s, then they count: it gets no more than the limit of the day',
    async (reason) => {
      const market = aMarket()
      answer = answerPayment(refusal(409, reason))
      for (let times = 0; times < 4; times++) {
        expect(await market.write('createTask', creation)).toMatchObject({ kind: 'refused', reason })
      }
      expect(await market.write('createTask', creation)).toMatchObject({ reason: 'limit_exceeded' })
    },
  )

  test('given a refused write whose payment the chain has as used, then it counts on, and an unused one no more', async () => {
    const market = aMarket({ rpcUrl: `${service.url}/node` })
    answer = answerPayment(refusal(409, 'payment_rejected'))
    for (let times = 0; times < 4; times++) await market.write('createTask', creation)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400_000 })
    word = 1n
    expect(await market.write('createTask', creation)).toMatchObject({ reason: 'limit_exceeded' })
    word = 0n
    expect(await market.write('createTask', creation)).toMatchObject({ reason: 'payment_rejected' })
  })

  test('given a raise of a reward, then no more than the increase is paid, by the reward that the chain has', async () => {
    const read = { id: taskId, reward: '0', requester: signer.address, pendingActions: [] }
    answer = ({ method }) => (method === 'GET' ? { status: 200, body: read } : challenge(3_001_000n))
    word = 2_000_000n
    const market = aMarket({ rpcUrl: `${service.url}/node` })
    const raise = { taskId, reward: '3000000' }
    expect(await market.write('updateTask', raise)).toMatchObject({ kind: 'refused', reason: 'wrong_price' })
    expect(await market.preview('updateTask', raise)).toMatchObject({ kind: 'refused', reason: 'wrong_price' })
  })

  test('given a claim, then no more than the stake of the task is paid', async () => {
    const read = { id: taskId, reward: '2000000', stakeBps: 1_000, requester: worker, pendingActions: [] }
    const claim = async (price: bigint) => {
      answer = (request) => {
        if (request.method === 'GET') return { status: 200, body: read }
        return request.payment === null ? challenge(price) : { status: 200, body: { success: true } }
      }
      return await aMarket().write('createClaim', { taskId })
    }
    // The claim itself was sent, so that only its payment is refused for certain.
    expect(await claim(200_001n)).toMatchObject({ kind: 'unknown', message: expect.stringContaining('at most 200000') })
    expect(await claim(200_000n)).toMatchObject({ kind: 'completed', paid: 200_000n })
  })

  test('given a preview above the limits, then it says so', async () => {
    answer = () => challenge(5_000_000n)
    const lower = { limits: { perCall: 4_999_999n } }
    expect(await aMarket().preview('createTask', creation, lower)).toMatchObject({ reason: 'limit_exceeded' })
    expect(await aMarket(lower).preview('createTask', creation)).toMatchObject({ reason: 'limit_exceeded' })
  })
})
