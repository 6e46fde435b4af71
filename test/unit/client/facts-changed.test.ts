import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Chain } from '../../../client/src/chain/rpc.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import { runTool } from '../../support/client/silent-io.ts'
import {
  type Answer,
  acceptance,
  answerAcceptance,
  callOfAcceptance,
  challenge,
  deployment,
  done,
  expectBound,
  factsChanged,
  type HostileService,
  hash,
  notFound,
  type Sent,
  signer,
  startHostileService,
  taskId,
  toolEnvironment,
  worker,
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

/** A submission that is another one from the second read on. */
function answerChanged(paid: () => Answer) {
  let reads = 0
  return answerAcceptance(() => hash(reads++ === 0 ? '11' : '22'), paid)
}

describe('A person at a terminal', () => {
  test('given a call that changes after they agreed, then they are shown the new one, and told of the switch once', async () => {
    service.answer = answerChanged(() => done)
    const env = toolEnvironment(service.url, { ...deployment, local: false })
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return 'y'
    }
    const run = () =>
      runTool(['task', 'accept', taskId, '--worker', worker, '--again'], { env, isTerminal: true, ask, width: 200 })
    const first = await run()
    expect([first.exit, questions.length]).toEqual([0, 2])
    const { target } = callOfAcceptance(hash('22'))
    const called = `acceptSubmission(${taskId}, ${worker}, ${hash('22')}) of ${target}`
    expect(questions[1]?.toLowerCase()).toContain(called.toLowerCase())
    expect(first.err).toContain('wallet bound-only on')
    expect((await run()).err).not.toContain('wallet bound-only on')
    expect(questions).toHaveLength(3)
  })
})

describe('A service that says that the facts have changed', () => {
  test('given that the client reads the same ones, then nothing more is signed, whatever facts the refusal names', async () => {
    service.answer = answerAcceptance(
      () => hash('11'),
      () => factsChanged,
    )
    const decideAgain = vi.fn(async () => true)
    expect(await service.aMarket().write('acceptSubmission', acceptance, { decideAgain })).toMatchObject({
      kind: 'refused',
      reason: 'payment_preflight_rejected',
    })
    expect(decideAgain).not.toHaveBeenCalled()
    await expectBound(service, [callOfAcceptance(hash('11'))])
    expect(service.signedData).toHaveLength(1)
  })

  test('given other facts and no person to decide, then nothing more is signed', async () => {
    service.answer = answerChanged(() => factsChanged)
    expect(await service.aMarket().write('acceptSubmission', acceptance)).toMatchObject({
      kind: 'refused',
      reason: 'facts_changed',
    })
    expect(service.signedData).toHaveLength(1)
  })

  test.each([true, false])('given other facts, then a person is shown the new call (agrees: %s)', async (agrees) => {
    let payments = 0
    service.answer = answerChanged(() => (payments++ === 0 ? factsChanged : done))
    const shown: ContractCall[] = []
    const decideAgain = async (call: ContractCall) => {
      shown.push(call)
      return agrees
    }
    const market = service.aMarket()
    const outcome = await market.write('acceptSubmission', acceptance, { decideAgain })
    expect(shown).toEqual([callOfAcceptance(hash('22'))])
    const calls = ['11', '22'].map((digits) => callOfAcceptance(hash(digits)))
    await expectBound(service, agrees ? calls : calls.slice(0, 1))
    const [entry] = market.entries()
    expect(outcome).toMatchObject(agrees ? { kind: 'completed' } : { kind: 'refused', reason: 'facts_changed' })
    // The journal has both, and the first counts for as long as it can be used.
    expect(entry?.earlierPayments?.length ?? 0).toBe(agrees ? 1 : 0)
    if (agrees) expect(entry?.counted).toBe('2002000')
  })

  test('given other facts each time, then no more than three calls are signed', async () => {
    let reads = 0
    service.answer = answerAcceptance(
      () => hash(String(10 + reads++)),
      () => factsChanged,
    )
    const decideAgain = async () => true
    expect(await service.aMarket().write('acceptSubmission', acceptance, { decideAgain })).toMatchObject({
      kind: 'refused',
    })
    expect(service.signedData).toHaveLength(3)
  })

  test('given another price after that, then nothing more is signed', async () => {
    const inner = answerChanged(() => factsChanged)
    service.answer = (request) => {
      const isSecond = request.method === 'POST' && request.payment === null && service.signedData.length > 0
      return isSecond ? challenge(1_001n) : inner(request)
    }
    const outcome = await service.aMarket().write('acceptSubmission', acceptance, { decideAgain: async () => true })
    expect(outcome).toMatchObject({ message: expect.stringContaining('1001') })
    expect(service.signedData).toHaveLength(1)
  })
})

describe('A raise of the reward of a task whose texts have changed', () => {
  const raise = { taskId, reward: '3000000', description: 'Two haiku' }

  /** The service's word before and after the first payment, which it refuses. */
  const answerRaise = () => {
    let tags = ['before']
    return ({ method, path, payment }: Sent): Answer => {
      if (path.startsWith('/api/intents')) return notFound
      const visibilities = { taskVisibility: 'public', submissionVisibility: 'public' }
      const texts = { description: 'A haiku', tags, ...visibilities, metricDescription: null, metricTarget: null }
      const task = { id: taskId, reward: '2000000', requester: signer.address, pendingActions: [], ...texts }
      if (method === 'GET') return { status: 200, body: task }
      if (payment === null) return challenge(1_001_000n)
      if (tags[0] === 'after') return { status: 200, body: { id: taskId, referenceCode: 'T-1' } }
      tags = ['after']
      return factsChanged
    }
  }

  test.each([
    { isUsed: true, isCancelled: true, signed: 2 },
    { isUsed: true, isCancelled: false, signed: 1 },
    { isUsed: false, isCancelled: false, signed: 1 },
  ])('given a node that has the first payment as %o, then no two can be used', async ({ signed, ...of }) => {
    service.answer = answerRaise()
    const market = service.aMarket()
    market.context.chain = {
      taskOf: async () => ({
        requester: signer.address.toLowerCase() as Hex,
        reward: 2_000_000n,
        stakeBps: 0,
        round: 0,
        auctionType: null,
        createdAt: 0n,
        bidDeadline: 0n,
        clockPrice: 0n,
      }),
      now: async () => Math.floor(Date.now() / 1000),
      isAuthorizationUsed: async () => of.isUsed,
      isAuthorizationCancelled: async () => of.isCancelled,
    } as Partial<Chain> as Chain
    const decideAgain = async () => true
    const outcome = await market.write('updateTask', raise, { decideAgain })
    expect(outcome.kind).toBe(signed === 2 ? 'completed' : 'unknown')
    expect(service.signedData).toHaveLength(signed)
  })

  test('given a service that puts its clock ahead after the first payment, then no second one is signed', async () => {
    const inner = answerRaise()
    service.answer = (request) => {
      const { headers, ...rest } = inner(request)
      const ahead = service.signedData.length === 0 ? 0 : 500
      const time = String(Math.floor(Date.now() / 1000) + ahead)
      return { ...rest, headers: { ...headers, 'X-Service-Block-Timestamp': time } }
    }
    const decideAgain = async () => true
    expect(await service.aMarket().write('updateTask', raise, { decideAgain })).toMatchObject({ kind: 'unknown' })
    // The first one is presented again as a proof of its payer.
    expect(new Set(service.signedData.map(({ message }) => message.nonce)).size).toBe(1)
  })

  test('given the first payment may still be used, then none is signed beside it; once it has ended, one is', async () => {
    service.answer = answerRaise()
    const market = service.aMarket()
    const shown: ContractCall[] = []
    const decideAgain = async (call: ContractCall) => shown.push(call) > 0
    const first = await market.write('updateTask', raise, { decideAgain })
    expect(first).toMatchObject({ kind: 'unknown', message: expect.stringContaining('may act until') })
    expect(shown).toHaveLength(1)
    expect(service.signedData).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 130_000 })
    const key = String(first.key)
    expect(await market.write('updateTask', raise, { key, decideAgain })).toMatchObject({ kind: 'completed' })
    // The request is the same to the byte, or its key would be another request's.
    expect(new Set(service.sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).size).toBe(1)
    const [before, after] = service.signedData as unknown as { message: { nonce: Hex; validBefore: string } }[]
    expect(after?.message.nonce).not.toBe(before?.message.nonce)
    expect(market.entries()[0]?.earlierPayments).toMatchObject([{ nonce: before?.message.nonce, escrow: '1000000' }])
  })
})
