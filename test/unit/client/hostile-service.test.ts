import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../../client/src/account/account.ts'
import { taskViewAbi } from '../../../client/src/chain/task-view.ts'
import { type ClientOptions, createClient } from '../../../client/src/create-client.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import type { WalletState } from '../../../client/src/store/store.ts'

const address = (digits: string) => `0x${digits.repeat(20)}` as const
const deployment = { chainId: 8453, market: address('a1'), forwarder: address('b2'), usdc: address('c3') }
const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const taskId = `0x${'ab'.repeat(32)}`
const task = { description: 'Haiku', reward: '5000000', duration: 24, tags: [] }

interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** What the service answers to the next requests, and the number that the node answers. */
let answer: (request: IncomingMessage) => Answer
let word = 0n
let server: Server
let url: string
const directories: string[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call = Buffer.concat(chunks).toString()
    const { status, body, headers } = request.url === '/node' ? ofNode(call) : { headers: {}, ...answer(request) }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  vi.useRealTimers()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** The words of a task: its reward, and zeros. */
const taskWords = () => taskViewAbi[0].outputs[0].components.map(({ name }) => (name === 'reward' ? word : 0n))

function ofNode(call: string): Answer {
  const now = `0x${Math.floor(Date.now() / 1000).toString(16)}`
  const words = call.includes(deployment.usdc) ? [word] : taskWords()
  const data = `0x${words.map((number) => number.toString(16).padStart(64, '0')).join('')}`
  return { status: 200, body: { result: call.includes('eth_getBlockByNumber') ? { timestamp: now } : data } }
}

function aMarket(options: Partial<ClientOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-hostile-'))
  directories.push(directory)
  const timing = { requestMs: 5_000, waitMs: 300, pauseMs: 50, maxPauseMs: 50 }
  const market = createClient({ url, account, deployment, store: fileStore({ directory }), timing, ...options })
  const state = (): WalletState =>
    JSON.parse(readFileSync(join(directory, account.address.toLowerCase(), 'state.json'), 'utf8'))
  return { ...market, entries: () => Object.values(state().entries) }
}

function challenge(amount: bigint, accepts?: unknown[]): Answer {
  const exact = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: deployment.usdc,
    payTo: deployment.forwarder,
    amount: amount.toString(),
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  }
  const required = { x402Version: 2, resource: { url }, accepts: accepts ?? [exact] }
  return {
    status: 402,
    body: { error: 'Pay.' },
    headers: { 'PAYMENT-REQUIRED': Buffer.from(JSON.stringify(required)).toString('base64') },
  }
}

const refusal = (status: number, reason: string): Answer => ({ status, body: { error: reason, service: { reason } } })
const isPaid = ({ headers }: IncomingMessage) => headers['payment-signature'] !== undefined

/** Asks for the reward of a task, and answers its payment so. */
const answerPayment = (then: Answer) => (request: IncomingMessage) => (isPaid(request) ? then : challenge(5_000_000n))

describe('A write with a hostile service, wallet or file', () => {
  test('given a wallet whose owner declines, then the write is refused, and its key is free for another call', async () => {
    answer = () => challenge(5_000_000n)
    const declining: Account = {
      ...account,
      signTypedData: async () => {
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      },
    }
    const market = aMarket({ account: declining })
    expect(await market.write('createTask', task)).toMatchObject({
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
    expect(await aMarket().write('pushCredit', { address: account.address })).toMatchObject(outcome)
  })

  test('given a challenge that is no object inside, then the write is refused', async () => {
    answer = () => challenge(0n, [null])
    expect(await aMarket().write('createTask', task)).toMatchObject({ kind: 'refused', reason: 'wrong_challenge' })
  })

  test.each(['idempotency_key_payload_mismatch', 'payment_rejected'])(
    'given a service that takes payments and answers %s, then they count: it gets no more than the limit of the day',
    async (reason) => {
      const market = aMarket()
      answer = answerPayment(refusal(409, reason))
      for (let times = 0; times < 4; times++) {
        expect(await market.write('createTask', task)).toMatchObject({ kind: 'refused', reason })
      }
      expect(await market.write('createTask', task)).toMatchObject({ reason: 'limit_exceeded' })
    },
  )

  test('given a refused write whose payment the chain has as used, then it counts on, and an unused one no more', async () => {
    const market = aMarket({ rpcUrl: `${url}/node` })
    answer = answerPayment(refusal(409, 'payment_rejected'))
    for (let times = 0; times < 4; times++) await market.write('createTask', task)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400_000 })
    word = 1n
    expect(await market.write('createTask', task)).toMatchObject({ reason: 'limit_exceeded' })
    word = 0n
    expect(await market.write('createTask', task)).toMatchObject({ reason: 'payment_rejected' })
  })

  test('given a raise of a reward, then no more than the increase is paid, by the reward that the chain has', async () => {
    const read = { id: taskId, reward: '0', requester: account.address, pendingActions: [] }
    answer = ({ method }) => (method === 'GET' ? { status: 200, body: read } : challenge(3_001_000n))
    word = 2_000_000n
    const market = aMarket({ rpcUrl: `${url}/node` })
    const raise = { taskId, reward: '3000000' }
    expect(await market.write('updateTask', raise)).toMatchObject({ kind: 'refused', reason: 'wrong_price' })
    expect(await market.preview('updateTask', raise)).toMatchObject({ kind: 'refused', reason: 'wrong_price' })
  })

  test('given a claim, then no more than the stake of the task is paid', async () => {
    const read = { id: taskId, reward: '2000000', stakeBps: 1_000, requester: address('77'), pendingActions: [] }
    const claim = async (price: bigint) => {
      answer = (request) => {
        if (request.method === 'GET') return { status: 200, body: read }
        return isPaid(request) ? { status: 200, body: { success: true } } : challenge(price)
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
    expect(await aMarket().preview('createTask', task, lower)).toMatchObject({ reason: 'limit_exceeded' })
    expect(await aMarket(lower).preview('createTask', task)).toMatchObject({ reason: 'limit_exceeded' })
  })
})
