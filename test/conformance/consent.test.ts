import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aConsentSwitch } from '../support/consent-switch.ts'
import { aKey } from '../support/paying-client.ts'
import { createPayingFetch } from '../support/paying-fetch.ts'
import { createProvingFetch } from '../support/proving-fetch.ts'

/** Interface, "Corrections after the first build": Consent. A payment proves funds, not intent. */

const environment = openEnvironment()

/** Signs the consent switch of this deployment, with `changes` to its fields. */
async function switchBody(wallet: Actor, required: boolean, changes: { timestamp?: bigint; forwarder?: Hex } = {}) {
  const { timestamp = await environment.chain.headTime(), forwarder = environment.chain.deployment.forwarder } = changes
  return await aConsentSwitch(wallet, { required, timestamp, forwarder })
}

const isOn = async ({ address }: Actor) => (await environment.get(`/wallet/consent?address=${address}`)).body

describe('a payment bound to its request', () => {
  test('by its nonce, from a wallet without a decision, enables consent', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    expect(await isOn(requester)).toEqual({ required: false })
    expect((await client.payBound({ path: '/tasks', body: aTaskBody(), key: aKey() })).status).toBe(200)
    expect(await isOn(requester)).toEqual({ required: true })
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    expectRefusal(await client.pay(call), 403, 'payment_preflight_rejected')
    // The key can still be used; the wallet only has to add the binding to the request.
    const payment = await client.sign(await client.challenge(call))
    const proven = { ...call, headers: await client.proofOf(call, payment) }
    expect((await client.sendPaid(proven, payment)).status).toBe(200)
  })

  test('by the header that the fetch of a stock client adds, enables consent', async () => {
    const requester = await environment.aWallet()
    const proving = createProvingFetch(requester.account, environment)
    const pay = createPayingFetch({ chain: environment.chain, fetch: proving }, requester)
    const create = async () => {
      const headers = { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': aKey() }
      return await pay(`${environment.baseUrl}/api/tasks`, {
        method: 'POST',
        headers,
        body: JSON.stringify(aTaskBody()),
      })
    }
    expect((await create()).status).toBe(200)
    expect(await isOn(requester)).toEqual({ required: true })
    expect((await create()).status).toBe(200)
  })

  test('is signed again for the same request after its validity window, and then accepted once', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const nonce = await client.nonceOf(call)
    const over = await client.sign(await client.challenge(call), {
      nonce,
      validBefore: String((await environment.chain.headTime()) - 1n),
    })
    expectRefusal(await client.sendPaid(call, over), 402, 'payment_rejected')
    const money = await environment.chain.watch({ requester: requester.address })
    const again = await client.sign(await client.challenge(call), { nonce })
    expect((await client.sendPaid(call, again)).status).toBe(200)
    const third = await client.sign(await client.challenge({ ...call, key: aKey() }), { nonce, validAfter: '1' })
    expectRefusal(await client.sendPaid(call, third), 409, 'idempotency_key_reused')
    // Under another key the nonce is bound to no request, and USDC has used it.
    expectRefusal(await client.sendPaid({ ...call, key: aKey() }, third), 409, 'payment_already_spent')
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })
})

describe('POST /wallet/consent', () => {
  test('consent is disabled and enabled again, each time with a later timestamp', async () => {
    const wallet = await environment.aWallet()
    const now = await environment.chain.headTime()
    const change = async (required: boolean, timestamp: bigint) =>
      (await environment.post('/wallet/consent', { body: await switchBody(wallet, required, { timestamp }) })).status
    expect(await change(true, now)).toBe(200)
    expect(await change(false, now + 1n)).toBe(200)
    expect(await isOn(wallet)).toEqual({ required: false })
    const client = await environment.clientOf(wallet)
    // An explicit decision is kept: a bound payment does not enable consent again.
    expect((await client.payBound({ path: '/tasks', body: aTaskBody(), key: aKey() })).status).toBe(200)
    expect(await isOn(wallet)).toEqual({ required: false })
    expect((await client.pay({ path: '/tasks', body: aTaskBody(), key: aKey() })).status).toBe(200)
    expect(await change(true, now + 2n)).toBe(200)
    expect(await isOn(wallet)).toEqual({ required: true })
  })

  test('switches that are repeated, old, from the future, of another deployment or wallet have no effect', async () => {
    const wallet = await environment.aWallet()
    const now = await environment.chain.headTime()
    const first = await switchBody(wallet, true, { timestamp: now })
    expect((await environment.post('/wallet/consent', { body: first })).status).toBe(200)
    const off = (changes: { timestamp?: bigint; forwarder?: Hex }) => switchBody(wallet, false, changes)
    const refused: [object, 400 | 403 | 409][] = [
      [first, 409],
      [await off({ timestamp: now }), 409],
      [await off({ timestamp: now - 100n }), 409],
      [await off({ timestamp: now - 400n }), 400],
      [await off({ timestamp: now + 400n }), 400],
      [await off({ timestamp: now + 1n, forwarder: `0x${'ab'.repeat(20)}` }), 403],
      [{ ...(await switchBody(anActor(), false, { timestamp: now + 1n })), walletAddress: wallet.address }, 403],
      [{ ...(await switchBody(wallet, true, { timestamp: now + 1n })), required: false }, 403],
    ]
    for (const [body, status] of refused) {
      expectRefusal(await environment.post('/wallet/consent', { body }), status, 'unclassified')
      expect(await isOn(wallet)).toEqual({ required: true })
    }
  })
})
