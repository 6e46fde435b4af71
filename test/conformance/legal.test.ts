import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { type Http, openHttp } from '../support/conformance-http.ts'
import { acceptPolicies, anAcceptance, challengeFor, receiptHeader } from '../support/legal-client.ts'
import { aKey, createPayingClient } from '../support/paying-client.ts'
import { aPolicyDirectory } from '../support/policies.ts'
import { runProgram } from '../support/run-program.ts'

const environment = openEnvironment()

/** The policies of other services on the shared stack. */
const policies = aPolicyDirectory({ version: 'conformance-1' })

/** A process that enforces them. */
let enforcing: Http
let stop: (() => Promise<void>) | undefined
beforeAll(async () => {
  const environment = { LEGAL_ENFORCEMENT: 'on', LEGAL_DIRECTORY: policies.path, ENVIRONMENT: 'production' }
  const api = await startAnotherApi({ environment })
  stop = api.stop
  enforcing = openHttp(api.baseUrl)
})
afterAll(async () => {
  await stop?.()
  policies.remove()
})

const post = (path: string, body: unknown) => enforcing.post(path, { body })

describe('Legal acceptance: protected writes, where acceptance is enforced', () => {
  test('a receipt of another wallet is refused without a charge; with its own the same payment creates the task', async () => {
    const [payer, friend] = [await environment.aWallet(), anActor()]
    const money = await environment.chain.watch({ payer: payer.address })
    const now = await environment.chain.headTime()
    const { baseUrl, fetch } = enforcing
    const client = createPayingClient({ baseUrl, account: payer.account, fetch, now: () => now })
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const headersOf = async (wallet: Actor) => receiptHeader(await acceptPolicies(post, wallet))
    const ofFriend = { ...call, headers: await headersOf(friend) }
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
    expect((await client.sendPaid({ ...call, headers: await headersOf(payer) }, payment)).status).toBe(200)
    expect(await money.changes()).toEqual({ payer: -2_000_000n })
  })
})

describe('Legal acceptance: POST /legal/challenge and /legal/accept/wallet', () => {
  test('a contract wallet is verified by ERC-1271', async () => {
    const wallet = anActor()
    // Answers every call with the word 0x1626ba7e00...: a wallet that accepts every signature.
    const code = '0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3'
    const body = { ...(await anAcceptance(await challengeFor(post, wallet), anActor())), signature: '0x1234' }
    expect((await post('/legal/accept/wallet', body)).status).toBe(403)
    await environment.chain.request('anvil_setCode', [wallet.address, code])
    const { status, body: accepted } = await post('/legal/accept/wallet', body)
    expect(status).toBe(200)
    expect((await enforcing.get('/legal/status', { headers: receiptHeader(accepted.receipt) })).body).toMatchObject({
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
    const { stdout } = await sign(await challengeFor(post, wallet))
    expect((await enforcing.post('/legal/accept/wallet', { body: stdout })).status).toBe(200)
    expect(await sign(await challengeFor(post, anActor()))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/is for 0x/),
    })
  })
})
