import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { type Http, openHttp } from '../support/conformance-http.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { acceptPolicies, challengeFor, receiptHeader } from '../support/legal-client.ts'
import { aKey, createPayingClient } from '../support/paying-client.ts'
import { aPolicyDirectory } from '../support/policies.ts'
import { runProgram } from '../support/run-program.ts'

const environment = openEnvironment()

/** The policies of other services on the shared stack. */
const policies = aPolicyDirectory({ version: 'conformance-1' })

/** A process that enforces policies and has small budgets, on the database of all. */
let service: Http
let stop: (() => Promise<void>) | undefined
beforeAll(async () => {
  const api = await startAnotherApi({
    environment: {
      LEGAL_ENFORCEMENT: 'on',
      LEGAL_DIRECTORY: policies.path,
      ENVIRONMENT: 'production',
      WRITES_PER_MINUTE: '40',
      FREE_RELAYS_PER_DAY: '2',
      // A secret of this file, so that its clients differ from those of other files in the shared table.
      URL_SIGNING_SECRET: `a secret of these tests alone, ${crypto.randomUUID()}`,
    },
  })
  stop = api.stop
  service = openHttp(api.baseUrl)
})
afterAll(async () => {
  await stop?.()
  policies.remove()
})

const post = (path: string, body: unknown) => service.post(path, { body })
const receiptOf = async (wallet: Actor) => receiptHeader(await acceptPolicies(post, wallet))

test('given enforced policies, then a receipt of another wallet is refused without a charge; with its own the same payment creates the task', async () => {
  const payer = await environment.aWallet()
  const money = await environment.chain.watch({ payer: payer.address })
  const now = await environment.chain.headTime()
  const { baseUrl, fetch } = service
  const client = createPayingClient({ baseUrl, account: payer.account, fetch, now: () => now })
  const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
  const ofFriend = { ...call, headers: await receiptOf(anActor()) }
  const payment = await client.sign(await client.challenge(ofFriend))
  expect(await client.sendPaid(ofFriend, payment)).toMatchObject({
    status: 403,
    body: {
      code: 'LEGAL_ACCEPTANCE_REQUIRED',
      error: expect.stringMatching(/another wallet/),
      service: { reason: 'unclassified', detail: 'legal_acceptance_required' },
    },
  })
  expect(await money.changes()).toEqual({ payer: 0n })
  expect((await client.sendPaid({ ...call, headers: await receiptOf(payer) }, payment)).status).toBe(200)
  expect(await money.changes()).toEqual({ payer: -2_000_000n })
})

test('given a challenge, then the signing script makes a complete acceptance, and refuses the challenge of another wallet', async () => {
  const wallet = anActor()
  const sign = (challenge: object) =>
    runProgram(process.execPath, ['scripts/sign.mjs', 'legal', '--real-key'], {
      input: JSON.stringify(challenge),
      env: { ...process.env, KEY: wallet.key },
    })
  const { stdout } = await sign(await challengeFor(post, wallet))
  expect((await service.post('/legal/accept/wallet', { body: stdout })).status).toBe(200)
  expect(await sign(await challengeFor(post, anActor()))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/is for 0x/),
  })
})

test('given two free relays a day, when a client submits, then each costs one unit of each limit, and the third is refused', async () => {
  const taskId = await environment.createTask(await environment.aWallet())
  const submit = async () => {
    const worker = anActor()
    const body = await aSubmissionBody(worker, taskId)
    return await service.post(`/tasks/${taskId}/submissions`, { body, headers: await receiptOf(worker) })
  }
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
