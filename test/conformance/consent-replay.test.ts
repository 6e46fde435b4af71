import { describe, expect, test } from 'vitest'
import { writes } from '../../api/server/routes.ts'
import { type Actor, anActor, readHeadersOf } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aConsentSwitch } from '../support/consent-switch.ts'
import { openForeignShop } from '../support/foreign-shop.ts'
import { type OpenPaidWrite, type PaidWrite, paidWritesOf } from '../support/paid-writes.ts'
import { aKey } from '../support/paying-client.ts'
import { createPayingFetch } from '../support/paying-fetch.ts'

/**
 * Interface, "Corrections after the first build": Consent. A payment that a stock client signed for another shop is
 * presented here as a write of its payer, on every route that accepts payments.
 */

const environment = openEnvironment()
const paidWrites = paidWritesOf(environment)
/** Every twelfth route: the same stage of the pipeline refuses at all of them. */
const cases = (Object.entries(paidWrites) as [string, OpenPaidWrite][]).filter((_entry, index) => index % 12 === 0)

async function switchOn(wallet: Actor): Promise<void> {
  const [timestamp, { forwarder }] = [await environment.chain.headTime(), environment.chain.deployment]
  const body = await aConsentSwitch(wallet, { required: true, timestamp, forwarder })
  expect((await environment.post('/wallet/consent', { body })).status).toBe(200)
}

interface Stolen {
  key: string
  payment: string
}

/** Another shop sends this service's requirement to a stock client of the payer, and stores its payment. */
async function steal({ payer, path, body }: PaidWrite): Promise<Stolen> {
  const key = aKey()
  const asked = await environment.post(path, { body, key })
  expect(asked.status, asked.text).toBe(402)
  const shop = openForeignShop(asked.body.accepts[0])
  const customer = createPayingFetch({ chain: environment.chain, fetch: shop.fetch }, payer)
  expect((await customer('https://shop.example/picture')).status).toBe(200)
  return { key, payment: shop.loot() }
}

/** Presents a stolen payment. `headers`: additional headers of the thief. */
async function present(write: PaidWrite, { headers = {}, stolen }: { headers?: object; stolen?: Stolen } = {}) {
  const { key, payment } = stolen ?? (await steal(write))
  return await environment.post(write.path, { body: write.body, key, payment, headers: { ...headers } })
}

test('every route that accepts payments has a case', () => {
  const paid = writes.flatMap(({ operation, modes }) => (modes.includes('paid') ? [operation] : []))
  expect(Object.keys(paidWrites).sort()).toEqual(paid.sort())
})

describe('a payment that was signed for another shop', () => {
  test.each(cases)('at %s is 403 and free with consent enabled', async (_operation, open) => {
    const write = await open()
    const { payer, path, body } = write
    const stolen = await steal(write)
    const money = await environment.chain.watch({ payer: payer.address })
    // The read identity without an expiry is the same bytes at every deployment: a shop may have it.
    await switchOn(payer)
    for (const headers of [{}, await readHeadersOf(payer)]) {
      const { error } = expectRefusal(await present(write, { headers, stolen }), 403, 'payment_preflight_rejected')
      expect(error).toContain('X-Service-Payment-Proof')
      expect(error).toContain(`POST /api${path}`)
    }
    expect(await money.changes()).toEqual({ payer: 0n })
    // The task admits this write throughout: a payment bound to the request is executed.
    const answer = await (await environment.clientOf(payer)).payBound({ path, body, key: aKey() })
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
  })
})

describe('a payment that was signed for another shop, of a wallet that never used consent', () => {
  test('is executed: the risk of an unmodified stock client', async () => {
    const victim = await environment.aWallet()
    const [taskId, thief] = [await environment.createTask(victim), anActor()]
    await environment.submit(thief, taskId)
    const money = await environment.chain.watch({ thief: thief.address })
    const write = { payer: victim, path: `/tasks/${taskId}/accept`, body: { worker: thief.address } }
    expect((await present(write)).status).toBe(200)
    expect((await money.changes()).thief).toBeGreaterThan(0n)
  })

  test('at refund-expired, which any wallet may call, costs its price; the escrow goes to the requester', async () => {
    const write = await (paidWrites['tasks.refundExpired'] ?? expect.fail('no case'))()
    const { requester } = (await environment.get(write.path.replace('/refund-expired', ''))).body
    const money = await environment.chain.watch({ payer: write.payer.address, requester })
    expect((await present(write)).status).toBe(200)
    expect(await money.changes()).toEqual({ payer: -1_000n, requester: 2_000_000n })
  })
})
