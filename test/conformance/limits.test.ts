import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { type Call, preparePayment, transportAdapters } from './transport-adapters.ts'

const environment = openEnvironment()

/** Units of a minute: more than all tests of this file use. */
const WRITES = 40

/** A process with small budgets, on the database of all. */
let service: Awaited<ReturnType<typeof startAnotherApi>>
beforeAll(async () => {
  const environment = {
    WRITES_PER_MINUTE: String(WRITES),
    FREE_RELAYS_PER_DAY: '2',
    // A secret of this file, so that its clients differ from those of other files in the shared table.
    URL_SIGNING_SECRET: `a secret of these tests alone, ${crypto.randomUUID()}`,
  }
  service = await startAnotherApi({ environment })
})
afterAll(() => service?.stop())

/** What an answer says is left of a budget. */
function leftOf(headers: Headers, budget: string): number {
  const left = new RegExp(`"${budget}";r=(\\d+);t=\\d+`).exec(headers.get('ratelimit') ?? '')?.[1]
  if (left === undefined) throw new Error(`no budget ${budget} in ${headers.get('ratelimit')}`)
  return Number(left)
}

describe('Limits of one client, over both transports', () => {
  test('a challenge costs a unit, a paid write that lands costs none', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    const call: Call = { operation: 'tasks.create', input: aTaskBody() }
    let left = WRITES
    for (const adapter of transportAdapters) {
      const paid = await preparePayment(adapter, {
        baseUrl: service.baseUrl,
        call,
        sign: (requirement) => client.sign(requirement),
      })
      left -= 1
      const landed = await adapter.write(service.baseUrl, paid)
      expect(landed.status).toBe(200)
      expect(leftOf(landed.headers, 'writes')).toBe(left)
      expect(landed.headers.get('ratelimit-policy')).toBe(`"writes";q=${WRITES};w=60`)
    }
  })

  test('a free write costs one unit of each limit, and the daily one is exhausted first', async () => {
    const taskId = await environment.createTask(await environment.aWallet())
    const submit = async (index: 0 | 1) => {
      const input = await aSubmissionBody(anActor(), taskId)
      return await transportAdapters[index]?.write(service.baseUrl, { operation: 'submissions.create', input })
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
