import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { type Call, preparePayment, transportAdapters } from './transport-adapters.ts'

const environment = openEnvironment()

/** Units of a minute: more than all tests of this file use. */
const WRITES = 40

/** Two processes with the same small budgets, on the database of all. */
let services: Awaited<ReturnType<typeof startAnotherApi>>[]
beforeAll(async () => {
  const environment = {
    WRITES_PER_MINUTE: String(WRITES),
    FREE_RELAYS_PER_DAY: '2',
    REVERTED_WRITES_PER_HOUR: '3',
    // A secret of this file, so that its clients differ from those of other files in the shared table.
    URL_SIGNING_SECRET: `a secret of these tests alone, ${crypto.randomUUID()}`,
  }
  services = await Promise.all([startAnotherApi({ environment }), startAnotherApi({ environment })])
})
afterAll(() => Promise.all(services.map(({ stop }) => stop())))

const urlOf = (index: number) => services[index]?.baseUrl ?? ''

/** What an answer says is left of a budget. */
function leftOf(headers: Headers, budget: string): number {
  const left = new RegExp(`"${budget}";r=(\\d+);t=\\d+`).exec(headers.get('ratelimit') ?? '')?.[1]
  if (left === undefined) throw new Error(`no budget ${budget} in ${headers.get('ratelimit')}`)
  return Number(left)
}

describe('Limits of one client, through two processes and both transports', () => {
  test('a challenge costs a unit, a paid write that lands costs none', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    const call: Call = { operation: 'tasks.create', input: aTaskBody() }
    let left = WRITES
    for (const [index, adapter] of transportAdapters.entries()) {
      const paid = await preparePayment(adapter, {
        baseUrl: urlOf(index),
        call,
        sign: (requirement) => client.sign(requirement),
      })
      left -= 1
      const landed = await adapter.write(urlOf(1 - index), paid)
      expect(landed.status).toBe(200)
      expect(leftOf(landed.headers, 'writes')).toBe(left)
      expect(landed.headers.get('ratelimit-policy')).toBe(`"writes";q=${WRITES};w=60`)
    }
  })

  test('a free write costs one unit of each limit, and the daily one is exhausted first', async () => {
    const taskId = await environment.createTask(await environment.aWallet())
    const submit = async (index: 0 | 1) => {
      const input = await aSubmissionBody(anActor(), taskId)
      return await transportAdapters[index]?.write(urlOf(index), { operation: 'submissions.create', input })
    }
    const first = await submit(0)
    expect([first?.status, leftOf(first?.headers ?? new Headers(), 'freeRelays')]).toEqual([200, 1])
    expect(first?.headers.get('ratelimit-policy')).toBe(`"writes";q=${WRITES};w=60, "freeRelays";q=2;w=86400`)
    const second = await submit(1)
    expect([second?.status, leftOf(second?.headers ?? new Headers(), 'freeRelays')]).toEqual([200, 0])
    for (const index of [0, 1] as const) {
      const refused = await submit(index)
      expect([refused?.status, refused?.error?.code, refused?.error?.service.reason]).toEqual([
        429,
        'TOO_MANY_REQUESTS',
        'unclassified',
      ])
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_600)
    }
    expect((await environment.get(`/tasks/${taskId}/submissions`)).body).toHaveLength(2)
  })
})

describe('Limits of one client: paid writes that revert on chain', () => {
  const FEE = 1_000n
  afterEach(async () => {
    await environment.chain.request('evm_setAutomine', [true])
  })

  /** Pitches of one wallet, each with a payment of its own, sent before one of them is mined. */
  async function pitchesAtOnce(count: number) {
    const [rest] = transportAdapters
    if (rest === undefined) throw new Error('there is no REST')
    const taskId = await environment.createTask(await environment.aWallet(), { mode: 'pitch' })
    const worker = anActor()
    await environment.chain.fund(worker.address, FEE)
    const client = await environment.clientOf(worker)
    const calls = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const input = { workerAddress: worker.account.address, pitchText: `the ${index}th`, signature: 'none' }
        return preparePayment(rest, {
          baseUrl: urlOf(0),
          call: { operation: 'pitches.create', input: { taskId, ...input } },
          sign: (requirement) => client.sign(requirement),
        })
      }),
    )
    await environment.chain.request('evm_setAutomine', [false])
    const answers = Promise.all(calls.map((call) => rest.write(urlOf(0), call)))
    await expect
      .poll(() => environment.chain.request('txpool_status'))
      .toMatchObject({ pending: `0x${count.toString(16)}` })
    await environment.chain.request('evm_mine')
    await environment.chain.request('evm_setAutomine', [true])
    return await answers
  }

  test('a wallet that holds one fee signs many: one lands, and the reverts use up what its client has of them', async () => {
    const answers = await pitchesAtOnce(4)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const reverted = answers.filter(({ status }) => status === 409)
    expect(reverted.map(({ headers }) => leftOf(headers, 'revertedWrites')).toSorted()).toEqual([0, 1, 2])

    const payer = await environment.aWallet()
    const client = await environment.clientOf(payer)
    const [rest] = transportAdapters
    if (rest === undefined) throw new Error('there is no REST')
    const money = await environment.chain.watch({ payer: payer.address })
    const paid = await preparePayment(rest, {
      baseUrl: urlOf(0),
      call: { operation: 'tasks.create', input: aTaskBody() },
      sign: (requirement) => client.sign(requirement),
    })
    const refused = await rest.write(urlOf(0), paid)
    expect([refused.status, refused.error?.service.reason]).toEqual([429, 'unclassified'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await money.changes()).toEqual({ payer: 0n })
    // The key and the payment are as good as before, at a client that has reverts left.
    expect((await rest.write(environment.baseUrl, paid)).status).toBe(200)
  })
})
