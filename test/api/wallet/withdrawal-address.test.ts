import { getAddress, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { anotherCode, register } from '../../support/withdrawal-addresses.ts'
import { aRegistration } from '../../support/withdrawals.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

const registered = async (wallet: string) =>
  (await api.get(`/api/wallet/withdrawal-address?address=${wallet}`)).body.withdrawalAddress

describe('registering', () => {
  test('answers the address, a code of eight digits and a warning, and every caller sees the address', async () => {
    const [owner, target] = [anActor(), anActor()]
    expect(await registered(owner.address)).toBeNull()
    const { status, headers, body } = await api.post(
      '/api/wallet/set-withdrawal-address',
      await aRegistration(owner, target.account.address),
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      withdrawalAddress: getAddress(target.address),
      accountRecoveryCode: expect.stringMatching(/^[0-9]{8}$/),
      warning: expect.stringContaining('shown once'),
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await registered(owner.address)).toBe(getAddress(target.address))
  })

  test('works once: a second one is CONFLICT, also when both come at once', async () => {
    const [owner, one, other] = [anActor(), anActor(), anActor()]
    const bodies = [await aRegistration(owner, one.address), await aRegistration(owner, other.address)]
    const answers = await Promise.all(bodies.map((body) => api.post('/api/wallet/set-withdrawal-address', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const again = await api.post('/api/wallet/set-withdrawal-address', bodies[0])
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
  })

  test('needs the wallet’s signature over exactly this address', async () => {
    const [owner, target, other] = [anActor(), anActor(), anActor()]
    const genuine = await aRegistration(owner, target.address)
    for (const body of [
      { ...genuine, withdrawalAddress: other.address },
      { ...genuine, walletAddress: other.address },
      { ...genuine, signature: '0x' },
    ]) {
      const answer = await api.post('/api/wallet/set-withdrawal-address', body)
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
      expect(answer.body.error).toContain(`service:set-withdrawal-address:${body.withdrawalAddress}`)
    }
    expect(await registered(owner.address)).toBeNull()
  })

  test('refuses addresses at which USDC would be lost, and takes the wallet itself', async () => {
    const owner = anActor()
    const { usdc, market, forwarder, identityRegistry, reputationRegistry } = api.deps.deployment
    for (const address of [zeroAddress, usdc, market, forwarder, identityRegistry, reputationRegistry]) {
      const answer = await api.post('/api/wallet/set-withdrawal-address', await aRegistration(owner, address))
      expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'withdrawalAddress'])
    }
    await register(api, owner, owner.address)
    expect(await registered(owner.address)).toBe(owner.account.address)
  })
})

describe('changing', () => {
  const change = (body: object, headers: Record<string, string> = {}) =>
    api.post('/api/wallet/change-withdrawal-address', body, headers)

  test('takes the code alone, answers a fresh one, and the used one is worthless', async () => {
    const [owner, first, second, third] = [anActor(), anActor(), anActor(), anActor()]
    const code = await register(api, owner, first.address)
    const request = { address: owner.address, accountRecoveryCode: code, newWithdrawalAddress: second.address }
    const changed = await change(request)
    expect([changed.status, changed.body.withdrawalAddress]).toEqual([200, getAddress(second.address)])
    expect(changed.body.accountRecoveryCode).toMatch(/^[0-9]{8}$/)
    expect((await change({ ...request, newWithdrawalAddress: third.address })).status).toBe(403)
    expect(await registered(owner.address)).toBe(getAddress(second.address))
  })

  test('of two requests with one code, one succeeds', async () => {
    const [owner, first] = [anActor(), anActor()]
    const code = await register(api, owner, first.address)
    const targets = [anActor(), anActor(), anActor()]
    const answers = await Promise.all(
      targets.map(({ address }) =>
        change({ address: owner.address, accountRecoveryCode: code, newWithdrawalAddress: address }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await registered(owner.address)).toBe(getAddress(targets[winner]?.address ?? zeroAddress))
  })

  test('refuses a wrong code, a bad address, and a wallet without an address', async () => {
    const [owner, first, second] = [anActor(), anActor(), anActor()]
    const code = await register(api, owner, first.address)
    const request = { address: owner.address, accountRecoveryCode: code, newWithdrawalAddress: second.address }
    for (const accountRecoveryCode of [anotherCode(code), '', ` ${code}`, `${code}0`, code.slice(1)]) {
      expect((await change({ ...request, accountRecoveryCode })).status).toBe(403)
    }
    expect((await change({ ...request, newWithdrawalAddress: zeroAddress })).status).toBe(400)
    expect((await change({ ...request, accountRecoveryCode: '1'.repeat(65) })).status).toBe(400)
    const unknown = await change({ ...request, address: anActor().address })
    expect([unknown.status, unknown.body.code]).toEqual([409, 'CONFLICT'])
    expect(await registered(owner.address)).toBe(getAddress(first.address))
  })
})

describe('the history', () => {
  test('is the owner’s alone, newest first', async () => {
    const [owner, first, second] = [anActor(), anActor(), anActor()]
    const code = await register(api, owner, first.address)
    const request = { address: owner.address, accountRecoveryCode: code, newWithdrawalAddress: second.address }
    await api.post('/api/wallet/change-withdrawal-address', request)
    const path = `/api/wallet/withdrawal-address/history?address=${owner.address}`
    expect((await api.get(path)).status).toBe(401)
    expect((await api.get(path, await readHeadersOf(first))).status).toBe(403)
    const { body } = await api.get(path, await readHeadersOf(owner))
    expect(body.changes).toEqual([
      { withdrawalAddress: getAddress(second.address), kind: 'changed', at: expect.any(String) },
      { withdrawalAddress: getAddress(first.address), kind: 'registered', at: expect.any(String) },
    ])
  })
})
