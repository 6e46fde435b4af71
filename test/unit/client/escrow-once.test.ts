import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Chain } from '../../../client/src/chain/rpc.ts'
import { createClient } from '../../../client/src/create-client.ts'
import {
  type Answer,
  acceptance,
  answerAcceptance,
  challenge,
  creation,
  deployment,
  done,
  type HostileService,
  hash,
  notFound,
  type Sent,
  signer,
  startHostileService,
  taskId,
} from './hostile-service.ts'

let service: HostileService

beforeAll(async () => {
  service = await startHostileService()
})

beforeEach(() => service.reset())

afterEach(() => {
  vi.useRealTimers()
})

afterAll(() => service.stop())

const refusal: Answer = { status: 409, body: { error: 'No.', service: { reason: 'payment_rejected' } } }
const waiting = { kind: 'refused', reason: 'earlier_payment', isKeyUsable: true }

/** Asks for the reward of a creation, and answers its payment so. */
const answerCreation =
  (paid: Answer) =>
  ({ method, body, payment }: Sent): Answer => {
    if (method === 'GET') return notFound
    return payment === null ? challenge(BigInt(JSON.parse(body).reward)) : paid
  }

/** The payments that were signed, each once. */
const signedNonces = () => [...new Set(service.signedData.map(({ message }) => message.nonce))]

function aChain(of: { isUsed: () => boolean; isCancelled: () => boolean }): Chain {
  return {
    now: async () => Math.floor(Date.now() / 1000),
    isAuthorizationUsed: async () => of.isUsed(),
    isAuthorizationCancelled: async () => of.isCancelled(),
  } as Partial<Chain> as Chain
}

describe('A creation whose equal was refused after it was paid', () => {
  test.each([{}, { again: true }, { key: crypto.randomUUID() }])(
    'given options %o, then no second payment is signed while the first can be used, and one is after it',
    async (options) => {
      service.answer = answerCreation(refusal)
      const market = service.aMarket()
      expect(await market.write('createTask', creation)).toMatchObject({ reason: 'payment_rejected' })
      const [first] = market.entries()
      const second = await market.write('createTask', creation, options)
      expect(second).toMatchObject(waiting)
      expect(second).toMatchObject({ message: expect.stringContaining(String(first?.key)) })
      expect(second).toMatchObject({ message: expect.stringContaining(String(first?.payment?.validBefore)) })
      expect(signedNonces()).toHaveLength(1)
      service.answer = answerCreation(done)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 })
      expect(await market.write('createTask', creation, options)).toMatchObject({ kind: 'completed' })
      expect(signedNonces()).toHaveLength(2)
    },
  )

  test('given another creation, then it is signed at once', async () => {
    service.answer = answerCreation(refusal)
    const market = service.aMarket()
    await market.write('createTask', creation)
    service.answer = answerCreation(done)
    expect(await market.write('createTask', { ...creation, description: 'Ode' })).toMatchObject({ kind: 'completed' })
    expect(signedNonces()).toHaveLength(2)
  })

  test('given the same texts with another salt of the caller, then no second payment is signed while the first can be used', async () => {
    const repeated = { reason: 'payment_preflight_rejected', detail: 'document_repeated' }
    service.answer = answerCreation({ status: 409, body: { error: 'Send another documentSalt.', service: repeated } })
    const market = service.aMarket()
    const salted = (salt: string) => market.write('createTask', { ...creation, documentSalt: hash(salt) })
    expect(await salted('01')).toMatchObject({ reason: 'payment_preflight_rejected' })
    expect(await salted('02')).toMatchObject(waiting)
    expect(await market.write('createTask', creation)).toMatchObject(waiting)
    expect(signedNonces()).toHaveLength(1)
  })

  test('given a service that says it took no payment, then no second one is signed while the first can be used', async () => {
    service.answer = answerCreation({ status: 200, body: { success: true } })
    const market = service.aMarket()
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed', paid: 0n })
    expect(await market.write('createTask', creation)).toMatchObject(waiting)
    expect(signedNonces()).toHaveLength(1)
  })

  test('given a wallet that has cancelled the first payment at USDC, then the next one is signed at once', async () => {
    service.answer = answerCreation(refusal)
    const market = service.aMarket()
    let isCancelled = false
    market.context.chain = aChain({ isUsed: () => isCancelled, isCancelled: () => isCancelled })
    await market.write('createTask', creation)
    expect(await market.write('createTask', creation)).toMatchObject(waiting)
    isCancelled = true
    service.answer = answerCreation(done)
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed' })
  })

  test('given a chain that has the first payment as used, then it has acted, and a second one is made only on purpose', async () => {
    service.answer = answerCreation(refusal)
    const market = service.aMarket()
    let isUsed = false
    market.context.chain = aChain({ isUsed: () => isUsed, isCancelled: () => false })
    await market.write('createTask', creation)
    const [first] = market.entries()
    isUsed = true
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 })
    expect(await market.write('createTask', creation)).toMatchObject({
      kind: 'refused',
      reason: 'earlier_payment',
      message: expect.stringContaining(`${first?.key}) was used`),
    })
    expect(signedNonces()).toHaveLength(1)
    service.answer = answerCreation(done)
    expect(await market.write('createTask', creation, { again: true })).toMatchObject({ kind: 'completed' })
  })

  test('given a node that answers no more, then nothing is signed', async () => {
    service.answer = answerCreation(refusal)
    const market = service.aMarket()
    await market.write('createTask', creation)
    market.context.chain = {
      ...aChain({ isUsed: () => false, isCancelled: () => false }),
      isAuthorizationUsed: () => Promise.reject(new Error('no answer')),
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 })
    expect(await market.write('createTask', creation)).toMatchObject(waiting)
    expect(signedNonces()).toHaveLength(1)
  })
})

describe('Equal creations with keys of their own', () => {
  test('given both at one time, then the second is signed when the first has ended', async () => {
    service.answer = answerCreation(done)
    const { context } = service.aMarket()
    const { url, deployment: place, store } = context
    if (store === null) throw new Error('no store')
    const timing = { requestMs: 5_000, waitMs: 5_000, pauseMs: 20, maxPauseMs: 20 }
    let last = 0
    const account = {
      ...signer,
      // The first one is at USDC before the second is signed.
      signTypedData: async (data: Parameters<typeof signer.signTypedData>[0]) => {
        const standing = await store.update(signer.address, ({ entries }) =>
          Object.values(entries).filter(({ state, payment }) => payment !== null && state !== 'completed'),
        )
        last = Math.max(last, standing.length)
        return await signer.signTypedData(data)
      },
    }
    const open = () => createClient({ url, account, deployment: place, store, timing, onWarning: () => {} })
    const outcomes = await Promise.all(
      [1, 2].map(() => open().write('createTask', creation, { key: crypto.randomUUID() })),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['completed', 'completed'])
    expect(last).toBe(1)
  })

  test('given one after another, then both are signed: the first is done', async () => {
    service.answer = answerCreation(done)
    const market = service.aMarket()
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed' })
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed' })
    expect(signedNonces()).toHaveLength(2)
  })

  test('given a deployment without bound payments, then a refused one does not keep the next one back', async () => {
    const { bound: _, ...plain } = deployment
    service.answer = answerCreation(refusal)
    const market = service.aMarket({ deployment: plain })
    for (let times = 0; times < 2; times++) {
      expect(await market.write('createTask', creation)).toMatchObject({ reason: 'payment_rejected' })
    }
    expect(signedNonces()).toHaveLength(2)
  })
})

describe('A raise of a reward that was refused after it was paid', () => {
  const answerTask =
    (paid: Answer) =>
    (sent: Sent): Answer => {
      if (sent.path.endsWith('/accept') || sent.path.includes('/submissions')) {
        return answerAcceptance(
          () => hash('11'),
          () => done,
        )(sent)
      }
      if (sent.path.startsWith('/api/intents')) return notFound
      const visibilities = { taskVisibility: 'public', submissionVisibility: 'public' }
      const texts = { description: 'A haiku', tags: [], ...visibilities, metricDescription: null, metricTarget: null }
      const task = { id: taskId, reward: '2000000', requester: signer.address, pendingActions: [], ...texts }
      if (sent.method === 'GET') return { status: 200, body: task }
      const increase = BigInt(JSON.parse(sent.body).reward ?? '2000000') - 2_000_000n
      return sent.payment === null ? challenge(1_000n + increase) : paid
    }

  test('given another raise of the task, then it waits; a write without escrow does not', async () => {
    service.answer = answerTask(refusal)
    const market = service.aMarket()
    expect(await market.write('updateTask', { taskId, reward: '3000000' })).toMatchObject({
      reason: 'payment_rejected',
    })
    expect(await market.write('updateTask', { taskId, reward: '2500000' })).toMatchObject(waiting)
    expect(signedNonces()).toHaveLength(1)
    service.answer = answerTask(done)
    expect(await market.write('acceptSubmission', acceptance)).toMatchObject({ kind: 'completed' })
    const other = { taskId: hash('cd') as Hex, reward: '2500000' }
    expect(await market.write('updateTask', other)).toMatchObject({ kind: 'completed' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 })
    expect(await market.write('updateTask', { taskId, reward: '2500000' })).toMatchObject({ kind: 'completed' })
  })
})
