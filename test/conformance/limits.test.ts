import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'
import { openHttp } from '../support/conformance-http.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** A process with small budgets, on the database of all. */
let service: Awaited<ReturnType<typeof startAnotherApi>>
beforeAll(async () => {
  // A secret of this file, so that its clients differ from those of other files in the shared table.
  const secret = `a secret of these tests alone, ${crypto.randomUUID()}`
  const settings = { WRITES_PER_MINUTE: '40', FREE_RELAYS_PER_DAY: '2', URL_SIGNING_SECRET: secret }
  service = await startAnotherApi({ environment: settings })
})
afterAll(() => service?.stop())

test('given two free relays a day, when a client submits, then each costs one unit of each limit, and the third is refused', async () => {
  const taskId = await environment.createTask(await environment.aWallet())
  const { post } = openHttp(service.baseUrl)
  const submit = async () =>
    await post(`/tasks/${taskId}/submissions`, { body: await aSubmissionBody(anActor(), taskId) })
  for (const left of [1, 0]) {
    const { status, headers } = await submit()
    expect([status, headers.get('ratelimit')]).toEqual([200, expect.stringContaining(`"freeRelays";r=${left};`)])
    expect(headers.get('ratelimit-policy')).toBe('"writes";q=40;w=60, "freeRelays";q=2;w=86400')
  }
  const refused = await submit()
  expectRefusal(refused, 429, 'unclassified')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
  expect((await environment.get(`/tasks/${taskId}/submissions`)).body).toHaveLength(2)
})
