import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { marketFetch } from '../../../client/src/market-fetch.ts'
import { MarketFetchError } from '../../../client/src/payments/paid-request.ts'
import type { PaymentClient } from '../../../client/src/payments/x402.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { aWalletDirectory } from '../../support/client/wallets.ts'
import {
  type Answer,
  callOfCreation,
  challenge,
  creation,
  deployment,
  done,
  expectBound,
  type HostileService,
  hash,
  notFound,
  place,
  type Sent,
  signer,
  startHostileService,
  taskId,
  worker,
} from './hostile-service.ts'

let service: HostileService

beforeAll(async () => {
  service = await startHostileService()
})

beforeEach(() => service.reset())

afterAll(() => service.stop())

/** A challenge with changes: of the whole, of its one requirement, or of the requirement's `extra`. */
function challengeWith(amount: bigint, { whole = {}, requirement = {}, extra = {} }: Record<string, object>): Answer {
  const { headers, ...answer } = challenge(amount)
  const required = JSON.parse(Buffer.from(headers?.['PAYMENT-REQUIRED'] ?? '', 'base64').toString())
  const [exact] = required.accepts
  const accepts = [{ ...exact, ...requirement, extra: { ...exact.extra, ...extra } }]
  const header = Buffer.from(JSON.stringify({ ...required, accepts, ...whole })).toString('base64')
  return { ...answer, headers: { 'PAYMENT-REQUIRED': header } }
}

/** Answers round one so, and takes every payment. */
const answerWith =
  (first: (sent: Sent) => Answer, paid: Answer = done) =>
  (sent: Sent): Answer => {
    if (sent.method === 'GET') return notFound
    return sent.payment === null ? first(sent) : paid
  }

describe('A hostile service in front of a client whose deployment file says `bound`', () => {
  const otherSalt = { salt: hash('99'), nonce: hash('98'), call: '0x00', target: worker }
  test.each([
    ['no extension', {}],
    ['an extension with another salt and nonce', { whole: { extensions: { 'bound-call': otherSalt } } }],
    ['an extension that is none', { whole: { extensions: { 'bound-call': 'off' } } }],
    ['other salts in the requirement', { extra: { bound: otherSalt, ...otherSalt } }],
    ['typed data of a plain transfer', { extra: { eip712: { primaryType: 'TransferWithAuthorization' } } }],
    ['another domain', { extra: { name: 'Not USDC', version: '9', chainId: 1, verifyingContract: worker } }],
    ['another window', { requirement: { maxTimeoutSeconds: 600_000 } }],
  ])('given a challenge with %s, then the payment names this request and its call, as without', async (_, changes) => {
    service.answer = answerWith(() => challengeWith(5_000_000n, changes))
    expect(await service.aMarket().write('createTask', creation)).toMatchObject({ kind: 'completed' })
    const [paid] = service.paidRequests()
    await expectBound(service, [callOfCreation(paid?.body ?? '')])
    expect(service.signedData[0]?.domain).toMatchObject({
      name: 'USD Coin',
      version: '2',
      chainId: 8453,
      verifyingContract: getAddress(place.usdc),
    })
    expect(Number(paid?.payment?.authorization.validBefore)).toBeLessThan(Date.now() / 1000 + 125)
  })

  test.each([
    ['less than the escrow', 4_999_999n],
    ['more than the escrow', 5_000_001n],
  ])('given a price of %s, then nothing is signed', async (_, price) => {
    service.answer = answerWith(() => challenge(price))
    expect(await service.aMarket().write('createTask', creation)).toMatchObject({
      kind: 'refused',
      reason: 'wrong_price',
    })
    expect(service.signedData).toEqual([])
  })

  test('given a challenge with another receiver, then nothing is signed', async () => {
    service.answer = answerWith(() => challengeWith(5_000_000n, { requirement: { payTo: worker } }))
    expect(await service.aMarket().write('createTask', creation)).toMatchObject({ reason: 'wrong_challenge' })
    expect(service.signedData).toEqual([])
  })

  test('given the challenge of another write, then the payment is for this write alone', async () => {
    const challenges: Answer[] = []
    service.answer = answerWith(() => {
      challenges.push(challengeWith(5_000_000n, { whole: { resource: { url: `${service.url}/api/elsewhere` } } }))
      return challenges[0] as Answer
    })
    const market = service.aMarket()
    for (const description of ['Haiku', 'Ode']) {
      expect(await market.write('createTask', { ...creation, description })).toMatchObject({ kind: 'completed' })
    }
    const paid = service.paidRequests()
    await expectBound(
      service,
      paid.map(({ body }) => callOfCreation(body)),
    )
    expect(new Set(service.signedData.map(({ message }) => message.nonce)).size).toBe(2)
  })

  test('given a challenge in answer to the payment itself, then the same payment is all that is signed', async () => {
    service.answer = answerWith(
      () => challenge(5_000_000n),
      challengeWith(5_000_000n, { whole: { extensions: { 'bound-call': otherSalt } } }),
    )
    await service.aMarket().write('createTask', creation)
    const [paid] = service.paidRequests()
    expect(new Set(service.signedData.map(({ message }) => message.nonce))).toEqual(
      new Set([paid?.payment?.authorization.nonce as Hex]),
    )
  })

  test('given another salt in a refusal, then nothing more is signed', async () => {
    const refusal = {
      error: `Sign service:pay:8453:${place.forwarder}:POST /api/tasks:k:00 instead.`,
      service: { reason: 'payment_preflight_rejected', detail: 'consent_required', salt: hash('99') },
    }
    service.answer = answerWith(() => challenge(5_000_000n), { status: 403, body: refusal })
    expect(await service.aMarket().write('createTask', creation)).toMatchObject({ kind: 'refused' })
    const [paid] = service.paidRequests()
    await expectBound(service, [callOfCreation(paid?.body ?? '')])
    expect(service.signedData).toHaveLength(1)
    expect(service.signedTexts.filter((text) => !text.startsWith('service:read:'))).toEqual([])
  })
})

describe('`marketFetch` where the deployment file says `bound`', () => {
  /** It would sign a plain payment. */
  const stock = (): PaymentClient & { calls: number } => ({
    calls: 0,
    createPaymentPayload() {
      this.calls += 1
      return Promise.reject(new Error('signed plainly'))
    },
  })
  const account = () => service.aMarket().context.account ?? expect.fail('no account')
  const open = (client: PaymentClient, options: object = {}) =>
    marketFetch(client, {
      url: service.url,
      account: account(),
      deployment,
      store: fileStore({ directory: aWalletDirectory() }),
      waitMs: 300,
      onWarning: () => {},
      ...options,
    })
  const post = (body: object, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

  test('given a paid write, then its payment is bound to its call, under the key of the request', async () => {
    service.answer = answerWith(() => challenge(5_000_000n))
    const client = stock()
    const key = crypto.randomUUID()
    const headers = { 'X-Service-Idempotency-Key': key.toUpperCase(), 'X-Service-Legal-Receipt': 'receipt' }
    const answer = await open(client)(`${service.url}/api/tasks`, post(creation, headers))
    expect([answer.status, await answer.json()]).toEqual([200, done.body])
    const [paid] = service.paidRequests()
    expect(paid?.key).toBe(key)
    await expectBound(service, [callOfCreation(paid?.body ?? '')])
    expect(client.calls).toBe(0)
  })

  test('given a refusal of the service, then it is the answer', async () => {
    const body = { error: 'Not now.', service: { reason: 'payment_preflight_rejected' } }
    service.answer = answerWith(() => ({ status: 403, body }))
    const answer = await open(stock())(`${service.url}/api/tasks`, post(creation))
    expect([answer.status, await answer.json()]).toEqual([403, body])
  })

  test.each([
    ['a procedure', '/trpc/tasks.create', creation],
    ['a claim that costs its stake', `/api/tasks/${taskId}/claim`, { workerAddress: signer.address, signature: '0x' }],
    ['a route that is no write', '/api/elsewhere', {}],
    ['a body that is no object', '/api/tasks', [creation]],
  ])('given %s that asks for a payment, then nothing is signed', async (_, path, body) => {
    service.answer = answerWith(() => challenge(5_000_000n))
    const client = stock()
    await expect(open(client)(`${service.url}${path}`, post(body))).rejects.toThrow(MarketFetchError)
    expect([client.calls, service.signedData]).toEqual([0, []])
  })

  test('given a write that costs nothing, then its answer is the answer', async () => {
    service.answer = answerWith(() => done)
    const claim = { workerAddress: signer.address, signature: '0x' }
    const answer = await open(stock())(`${service.url}/api/tasks/${taskId}/claim`, post(claim))
    expect(await answer.json()).toEqual(done.body)
    expect(service.signedData).toEqual([])
  })

  test('given no store, then nothing is signed and nothing is sent', async () => {
    const client = stock()
    await expect(open(client, { store: undefined })(`${service.url}/api/tasks`, post(creation))).rejects.toThrow(
      'store',
    )
    expect([client.calls, service.sent]).toEqual([0, []])
  })

  test('given a caller that gives up, then the payment of the write is the same in the next call', async () => {
    service.answer = answerWith(() => challenge(5_000_000n), { status: 503, body: { error: 'Later.' } })
    const fetching = open(stock())
    const gone = AbortSignal.abort()
    await expect(fetching(`${service.url}/api/tasks`, { ...post(creation), signal: gone })).rejects.toThrow()
    await expect(fetching(`${service.url}/api/tasks`, post(creation))).rejects.toThrow(MarketFetchError)
    await expect(fetching(`${service.url}/api/tasks`, post(creation))).rejects.toThrow(MarketFetchError)
    expect(new Set(service.signedData.map(({ message }) => message.nonce)).size).toBe(1)
  })
})
