import { describe, expect, test } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aConsentSwitch } from '../support/consent-switch.ts'
import { openForeignShop } from '../support/foreign-shop.ts'
import { aKey } from '../support/paying-client.ts'
import { createPayingFetch } from '../support/paying-fetch.ts'

/**
 * Interface, "Corrections after the first build": Consent. A payment that a stock client signed for another shop is
 * presented here as a write of its payer. The same stage of the pipeline refuses it on every route that accepts payments.
 */

const environment = openEnvironment()

/** Seconds. Time passes for the whole stack. */
const LIFE_SECONDS = 5

interface PaidWrite {
  payer: Actor
  path: string
  body?: unknown
}

/** An acceptance of a thief's work by its requester. */
async function anAcceptance(): Promise<PaidWrite & { thief: Actor }> {
  const [payer, thief] = [await environment.aWallet(), anActor()]
  const taskId = await environment.createTask(payer)
  await environment.submit(thief, taskId)
  return { payer, thief, path: `/tasks/${taskId}/accept`, body: { worker: thief.address } }
}

/** Another shop sends this service's requirement to a stock client of the payer, and stores its payment. */
async function steal({ payer, path, body }: PaidWrite) {
  const key = aKey()
  const asked = await environment.post(path, { body, key })
  expect(asked.status, asked.text).toBe(402)
  const shop = openForeignShop(asked.body.accepts[0])
  const customer = createPayingFetch({ chain: environment.chain, fetch: shop.fetch }, payer)
  expect((await customer('https://shop.example/picture')).status).toBe(200)
  return { key, payment: shop.loot() }
}

describe('a payment that was signed for another shop', () => {
  test('is 403 and free with consent enabled', async () => {
    const { payer, path, body } = await anAcceptance()
    const stolen = await steal({ payer, path, body })
    const money = await environment.chain.watch({ payer: payer.address })
    const [timestamp, { forwarder }] = [await environment.chain.headTime(), environment.chain.deployment]
    const consent = await aConsentSwitch(payer, { required: true, timestamp, forwarder })
    expect((await environment.post('/wallet/consent', { body: consent })).status).toBe(200)
    // The read identity without an expiry is the same bytes at every deployment: a shop may have it.
    for (const headers of [{}, { ...(await readHeadersOf(payer)) }]) {
      const refused = await environment.post(path, { body, ...stolen, headers })
      const { error } = expectRefusal(refused, 403, 'payment_preflight_rejected')
      expect(error).toContain('X-Service-Payment-Proof')
      expect(error).toContain(`POST /api${path}`)
    }
    expect(await money.changes()).toEqual({ payer: 0n })
    // The task admits this write throughout: a payment bound to the request is executed.
    const answer = await (await environment.clientOf(payer)).payBound({ path, body, key: aKey() })
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
  })

  test('of a wallet that never used consent is executed: the risk of an unmodified stock client', async () => {
    const { thief, ...write } = await anAcceptance()
    const money = await environment.chain.watch({ thief: thief.address })
    expect((await environment.post(write.path, { body: write.body, ...(await steal(write)) })).status).toBe(200)
    expect((await money.changes()).thief).toBeGreaterThan(0n)
  })

  test('at refund-expired, which any wallet may call, costs its price; the escrow goes to the requester', async () => {
    const [requester, payer] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester, { duration: LIFE_SECONDS / 3600 })
    await environment.chain.passTime(LIFE_SECONDS)
    const path = `/tasks/${taskId}/refund-expired`
    const money = await environment.chain.watch({ payer: payer.address, requester: requester.address })
    expect((await environment.post(path, await steal({ payer, path }))).status).toBe(200)
    expect(await money.changes()).toEqual({ payer: -1_000n, requester: 2_000_000n })
  })
})
