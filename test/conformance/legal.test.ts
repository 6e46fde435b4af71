import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectDatabase, type Database } from '../../api/db/client.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { type Http, openHttp } from '../support/conformance-http.ts'
import { acceptPolicies, anAcceptance, challengeFor, receiptHeader } from '../support/legal-client.ts'
import { aKey, createPayingClient, type Reply } from '../support/paying-client.ts'
import { aPolicyDirectory } from '../support/policies.ts'
import { runProgram } from '../support/run-program.ts'

const environment = openEnvironment()

/** The policies of other services on the shared stack. */
const policies = aPolicyDirectory({ version: 'conformance-1' })
const started: { stop(): Promise<void> }[] = []

let sql: Database
/** Two processes that enforce them. */
let one: Http
let two: Http
beforeAll(async () => {
  sql = connectDatabase({ url: inject('conformanceStack').databaseUrl, max: 1 })
  const start = async () => {
    const api = await startAnotherApi({
      environment: { LEGAL_ENFORCEMENT: 'on', LEGAL_DIRECTORY: policies.path, ENVIRONMENT: 'production' },
    })
    started.push(api)
    return openHttp(api.baseUrl)
  }
  one = await start()
  two = await start()
})
afterAll(async () => {
  for (const api of started) await api.stop()
  await sql.end()
  policies.remove()
})

const acceptAt = (http: Http, wallet: Actor) => acceptPolicies((path, body) => http.post(path, { body }), wallet)
const aChallenge = (wallet: Actor, http = one) => challengeFor((path, body) => http.post(path, { body }), wallet)

const expectGated = ({ status, body }: Pick<Reply, 'status' | 'body'>, words: RegExp = /./) => {
  expect({ status, code: body?.code, service: body?.service, error: body?.error }).toEqual({
    status: 403,
    code: 'LEGAL_ACCEPTANCE_REQUIRED',
    service: expect.objectContaining({ reason: 'unclassified', detail: 'legal_acceptance_required' }),
    error: expect.stringMatching(words),
  })
}

async function clientOf(http: Http, { account }: Actor) {
  const now = await environment.chain.headTime()
  return createPayingClient({ baseUrl: http.baseUrl, account, fetch: http.fetch, now: () => now })
}

const statusOfKey = async (key: string) =>
  (await sql<{ status: string }[]>`select status from intents where idempotency_key = ${key}`)[0]?.status

describe('Legal acceptance: protected writes, where acceptance is enforced', () => {
  test('after challenge, signature and acceptance, the create is admitted by every process', async () => {
    const requester = await environment.aWallet()
    const receipt = await acceptAt(one, requester)
    for (const http of [one, two]) {
      const money = await environment.chain.watch({ requester: requester.address })
      const call = { path: '/tasks', body: aTaskBody(), key: aKey(), headers: receiptHeader(receipt) }
      const { status, body } = await (await clientOf(http, requester)).pay(call)
      expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining({ taskId: expect.any(String) }) })
      expect(await money.changes()).toEqual({ requester: -2_000_000n })
    }
  })

  test('the receipt of another wallet is admitted in round one, which has no payer, and refused in round two without a charge', async () => {
    const [payer, friend] = [await environment.aWallet(), anActor()]
    const money = await environment.chain.watch({ payer: payer.address })
    const client = await clientOf(one, payer)
    const call = { path: '/tasks', body: aTaskBody(), key: aKey(), headers: receiptHeader(await acceptAt(one, friend)) }
    const payment = await client.sign(await client.challenge(call))
    expectGated(await client.sendPaid(call, payment), /another wallet/)
    expect(await money.changes()).toEqual({ payer: 0n })
    expect(await statusOfKey(call.key)).toBe('reserved')

    // The payment is still valid: only the payer's own receipt was missing.
    const own = { ...call, headers: receiptHeader(await acceptAt(one, payer)) }
    expect((await client.sendPaid(own, payment)).status).toBe(200)
    expect(await money.changes()).toEqual({ payer: -2_000_000n })
  })
})

describe('Legal acceptance: POST /legal/challenge and /legal/accept/wallet', () => {
  test('a contract wallet is verified by ERC-1271', async () => {
    const wallet = anActor()
    // Answers every call with the word 0x1626ba7e00...: a wallet that accepts every signature.
    const code = '0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3'
    const challenge = await aChallenge(wallet)
    const body = { ...(await anAcceptance(challenge, anActor())), signature: '0x1234' }
    expect((await one.post('/legal/accept/wallet', { body })).status).toBe(403)
    await environment.chain.request('anvil_setCode', [wallet.address, code])
    const { status, body: accepted } = await one.post('/legal/accept/wallet', { body })
    expect(status).toBe(200)
    expect((await two.get('/legal/status', { headers: receiptHeader(accepted.receipt) })).body).toMatchObject({
      accepted: true,
      subjectType: 'wallet',
      walletAddress: wallet.account.address,
    })
  })

  test('the signing script creates a complete acceptance of a challenge, and refuses the challenge of another wallet', async () => {
    const wallet = anActor()
    const sign = (challenge: object) =>
      runProgram(process.execPath, ['scripts/sign.mjs', 'legal', '--real-key'], {
        input: JSON.stringify(challenge),
        env: { ...process.env, KEY: wallet.key },
      })
    const { stdout } = await sign(await aChallenge(wallet))
    expect((await one.post('/legal/accept/wallet', { body: stdout })).status).toBe(200)
    expect(await sign(await aChallenge(anActor()))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/is for 0x/),
    })
  })
})
