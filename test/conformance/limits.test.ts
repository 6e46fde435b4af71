import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { type Call, preparePayment, transportAdapters } from '../support/transport-adapters.ts'

const environment = openEnvironment()

/** Two processes with the same small budgets, on the database of all. */
let services: Awaited<ReturnType<typeof startAnotherApi>>[]
beforeAll(async () => {
  const environment = {
    WRITES_PER_MINUTE: '8',
    FREE_RELAYS_PER_DAY: '2',
    // It names clients in the shared table: what other files used up is somebody else's here.
    URL_SIGNING_SECRET: `a secret of these tests alone, ${crypto.randomUUID()}`,
  }
  services = [await startAnotherApi({ environment }), await startAnotherApi({ environment })]
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
    let left = 8
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
      expect(landed.headers.get('ratelimit-policy')).toBe('"writes";q=8;w=60')
    }
  })

  test('a write nobody pays for costs one of each, and the day’s are soon used up', async () => {
    const taskId = await environment.createTask(await environment.aWallet())
    const submit = async (index: 0 | 1) => {
      const input = await aSubmissionBody(anActor(), taskId)
      return await transportAdapters[index]?.write(urlOf(index), { operation: 'submissions.create', input })
    }
    const first = await submit(0)
    expect([first?.status, leftOf(first?.headers ?? new Headers(), 'freeRelays')]).toEqual([200, 1])
    expect(first?.headers.get('ratelimit-policy')).toBe('"writes";q=8;w=60, "freeRelays";q=2;w=86400')
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

test('the headers of limits can be read by scripts of any origin, and stand on bytes too', async () => {
  const taskId = await environment.createTask(await environment.aWallet())
  const submissionId = await environment.submit(anActor(), taskId)
  const { status, headers } = await environment.get(`/tasks/${taskId}/submissions/${submissionId}/manifest`, {
    headers: { Origin: 'https://example.org' },
  })
  expect([status, headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"reads";r=\d+;t=\d+$/)])
  const exposed = headers.get('access-control-expose-headers')?.split(',')
  for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After']) expect(exposed).toContain(name)
})
