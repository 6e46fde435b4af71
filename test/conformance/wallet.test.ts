import { getAddress, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { aKey } from '../support/paying-client.ts'
import { runProgram } from '../support/run-program.ts'
import { register } from '../support/withdrawal-addresses.ts'
import { aRegistration, aTokenWithdrawalBody, aWithdrawalBody } from '../support/withdrawals.ts'

/** Spec, "Wallet"; Interface, "Wallet". */

const environment = openEnvironment()
const { usdc } = environment.chain.deployment
const post = (path: string, body: unknown) => environment.post(path, { body })
/** As the tests of rows spell paths: from the root. */
const fromRoot = { post: (path: string, body: unknown) => post(path.replace('/api/', '/'), body) }

const AMOUNT = 2_500_000n

/** A wallet with a registered withdrawal address, which has nothing yet. */
async function anOwner(): Promise<{ owner: Actor; target: Actor }> {
  const [owner, target] = [await environment.aWallet(), anActor()]
  await register(fromRoot, owner, target.address)
  return { owner, target }
}

async function aBody(
  owner: Actor,
  { to, amount = AMOUNT }: { to: Actor; amount?: bigint },
  changes: Record<string, string> = {},
) {
  const now = await environment.chain.headTime()
  return await aWithdrawalBody(owner, { to: to.address, amount, now, usdc }, changes)
}

const withdraw = (body: unknown, key = aKey()) => environment.post('/wallet/withdraw', { body, key })
const balanceOf = async ({ address }: Actor) =>
  BigInt((await environment.get(`/wallet/balance?address=${address}`)).body.balanceBaseUnits)

describe('Wallet: balance', () => {
  test('is what the chain has, in base units and in USDC', async () => {
    const owner = await environment.aWallet()
    expect((await environment.get(`/wallet/balance?address=${owner.account.address}`)).body).toEqual({
      balanceBaseUnits: String(startingBalance),
      balanceUsdc: '100.000000',
    })
    expect((await environment.get(`/wallet/balance?address=${anActor().address}`)).body).toEqual({
      balanceBaseUnits: '0',
      balanceUsdc: '0.000000',
    })
  })
})

describe('Wallet: withdrawal address', () => {
  test('is registered once by a signed message, and every caller can check it', async () => {
    const { owner, target } = await anOwner()
    const { body } = await environment.get(`/wallet/withdrawal-address?address=${owner.address}`)
    expect(body).toEqual({
      withdrawalAddress: getAddress(target.address),
      usdcDomain: {
        name: localNetwork.usdc.name,
        version: '2',
        chainId: localNetwork.chainId,
        verifyingContract: getAddress(usdc),
      },
    })
    const again = await post('/wallet/set-withdrawal-address', await aRegistration(owner, anActor().address))
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  test('is changed by the recovery code alone, and withdrawals go to the new one', async () => {
    const owner = await environment.aWallet()
    const [first, second] = [anActor(), anActor()]
    const accountRecoveryCode = await register(fromRoot, owner, first.address)
    const change = { address: owner.address, accountRecoveryCode, newWithdrawalAddress: second.address }
    expect(await post('/wallet/change-withdrawal-address', change)).toMatchObject({
      status: 200,
      body: { accountRecoveryCode: expect.stringMatching(/^[0-9]{8}$/), warning: expect.any(String) },
    })
    expect(await withdraw(await aBody(owner, { to: first }))).toMatchObject({ status: 409 })
    expect(await withdraw(await aBody(owner, { to: second }))).toMatchObject({ status: 200 })
    expect(await balanceOf(second)).toBe(AMOUNT)
  })
})

describe('Wallet: USDC withdrawal', () => {
  test('moves the amount to the registered address, without gas and without a payment', async () => {
    const { owner, target } = await anOwner()
    const key = aKey()
    const body = await aBody(owner, { to: target })
    const answer = await withdraw(body, key)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        amountBaseUnits: String(AMOUNT),
        to: getAddress(target.address),
      },
    })
    expect([await balanceOf(owner), await balanceOf(target)]).toEqual([startingBalance - AMOUNT, AMOUNT])
    const { body: intent } = await environment.get(`/intents?idempotencyKey=${key}`, { as: owner })
    expect(intent).toMatchObject({
      operation: 'wallet.withdraw',
      status: 'completed',
      txHash: answer.body.txHash,
      taskId: null,
      refund: null,
    })
    // The same request again moves nothing.
    expect(await withdraw(body, key)).toMatchObject({
      status: 409,
      body: { service: { reason: 'idempotency_key_reused', intentStatus: 'completed' } },
    })
    const reused = await withdraw(body)
    expect(reused).toMatchObject({ status: 409, body: { service: { reason: 'payment_preflight_rejected' } } })
    expect(await balanceOf(target)).toBe(AMOUNT)
  })

  test('as the signing script creates it from the registered address, and not without one', async () => {
    const { owner, target } = await anOwner()
    // The chain's time: tests of expiry run ahead of the host's.
    const now = Number(await environment.chain.headTime()) * 1000
    const clock = ['--import', `data:text/javascript,Date.now = () => ${now}`]
    const sign = (registered: object, amount = String(AMOUNT)) =>
      runProgram(process.execPath, [...clock, 'scripts/sign.mjs', 'withdrawal', amount, '--real-key'], {
        input: JSON.stringify(registered),
        env: { ...process.env, KEY: owner.key },
      })
    const registeredOf = async ({ address }: Actor) =>
      (await environment.get(`/wallet/withdrawal-address?address=${address}`)).body
    const { stdout } = await sign(await registeredOf(owner))
    expect(await withdraw(stdout)).toMatchObject({ status: 200, body: { to: getAddress(target.address) } })
    expect(await balanceOf(target)).toBe(AMOUNT)
    expect(await sign(await registeredOf(target))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('register'),
    })
    expect(await sign(await registeredOf(owner), '2.5')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Usage'),
    })
  })

  test('fails when no address is registered, and when the wallet has less', async () => {
    const [owner, target] = [await environment.aWallet(), anActor()]
    const refused = await withdraw(await aBody(owner, { to: target }))
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('register one first') } })
    await register(fromRoot, owner, target.address)
    const tooMuch = await withdraw(await aBody(owner, { to: target, amount: startingBalance + 1n }))
    expect(tooMuch).toMatchObject({ status: 409, body: { issues: [{ path: 'amountBaseUnits' }] } })
    expect(await balanceOf(target)).toBe(0n)
  })

  test('goes nowhere else, and is refused before anything is sent', async () => {
    const { owner, target } = await anOwner()
    const other = anActor()
    const genuine = await aBody(owner, { to: target })
    const cases: [Record<string, unknown>, number, string][] = [
      [await aBody(owner, { to: other }), 409, 'authorization.to'],
      [{ ...genuine, signature: toHex(new Uint8Array(65)) }, 403, 'signature'],
      [{ ...genuine, authorization: { ...genuine.authorization, nonce: toHex(1n, { size: 32 }) } }, 403, 'signature'],
    ]
    for (const [body, status, path] of cases) {
      const answer = await withdraw(body)
      expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([status, path])
    }
    expect(await balanceOf(target)).toBe(0n)
    expect(await withdraw(genuine)).toMatchObject({ status: 200 })
  })
})

describe('Wallet: token bonus withdrawal', () => {
  test('takes a message of five minutes, and answers 409 where nothing was earned', async () => {
    const worker = anActor()
    const now = await environment.chain.headTime()
    const aRequest = async (terms: { validity?: bigint } = {}) =>
      await aTokenWithdrawalBody(worker, { destination: anActor().address, now, ...terms })
    const withdrawToken = (body: unknown, key: string | null = aKey()) =>
      environment.post('/wallet/withdraw-token', { body, key })
    expect(await withdrawToken(await aRequest())).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', error: expect.stringContaining('no reward tokens') },
    })
    expect(await withdrawToken(await aRequest({ validity: 420n }))).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'validBefore' }] },
    })
    expect(await withdrawToken(await aRequest(), null)).toMatchObject({
      body: { service: { reason: 'idempotency_key_required' } },
    })
  })
})
