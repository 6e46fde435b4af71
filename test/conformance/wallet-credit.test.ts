import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { setBlocked } from '../support/blocked-wallet.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'

/** Interface, "Corrections after the first build": a payout that the token refused is stored as credit of its owner. */

const environment = openEnvironment()

const creditOf = async (address: string) => (await environment.get(`/wallet/credit?address=${address}`)).body
const push = (address: string, key: string = randomUUID()) =>
  environment.post('/wallet/credit', { body: { address }, key })

describe('Wallet credit', () => {
  test('is zero for an address without credit, which has nothing to deliver', async () => {
    const { address } = anActor()
    expect(await creditOf(address)).toEqual({ creditBaseUnits: '0' })
    const { status, body } = await push(address)
    expect({ status, ...body }).toMatchObject({
      status: 409,
      service: { reason: 'payment_preflight_rejected' },
      issues: [{ path: 'address' }],
    })
  })

  test('is an award that a blocked worker could not receive, and any caller can deliver it after the block ends', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const body = await aSubmissionBody(alice, taskId)
    const submitted = await environment.post(`/tasks/${taskId}/submissions`, { body })
    expect(submitted.status).toBe(200)
    await setBlocked(environment, alice.address, true)
    expect((await environment.pay(requester, `/tasks/${taskId}/accept`, { worker: alice.address })).status).toBe(200)
    const { creditBaseUnits } = await creditOf(alice.account.address)
    expect(BigInt(creditBaseUnits)).toBeGreaterThan(0n)

    const refused = await push(alice.address)
    expect(refused).toMatchObject({ status: 409, body: { service: { reason: 'payment_preflight_rejected' } } })
    expect(await creditOf(alice.address)).toEqual({ creditBaseUnits })

    await setBlocked(environment, alice.address, false)
    const before = await environment.chain.watch({ alice: alice.address, market: environment.chain.deployment.market })
    const key = randomUUID()
    const delivered = await push(alice.address, key)
    expect(delivered).toMatchObject({ status: 200, body: { txHash: expect.stringMatching(/^0x/), creditBaseUnits } })
    expect(await before.changes()).toEqual({ alice: BigInt(creditBaseUnits), market: -BigInt(creditBaseUnits) })
    expect(await creditOf(alice.address)).toEqual({ creditBaseUnits: '0' })
    expect(await environment.post('/wallet/credit', { body: { address: alice.address }, key: null })).toMatchObject({
      status: 400,
    })
    expect(await push(alice.address, key)).toMatchObject({
      status: 409,
      body: {
        service: { reason: 'idempotency_key_reused', intentStatus: 'completed', operation: 'wallet.pushCredit' },
      },
    })
  })
})
