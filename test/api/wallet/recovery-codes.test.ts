import { beforeEach, describe, expect, test } from 'vitest'
import { Overloaded } from '../../../api/concurrency/semaphore.ts'
import { createPasswordHasher, type PasswordHasher } from '../../../api/identity/password-hasher.ts'
import { type App, createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { type Answer, startTestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { countedScrypt } from '../../support/fast-scrypt.ts'
import { anotherCode, register } from '../../support/withdrawal-addresses.ts'
import { aStartedApi } from '../writes/started-api.ts'

const limits = { RECOVERY_TRIES_PER_DAY: '5', ALL_RECOVERY_TRIES_PER_DAY: '12' }

/** A process that has counted nothing, on a database that has counted nothing. */
let app: App
const api = aStartedApi(limits)
beforeEach(async () => {
  await api.sql`delete from service.budgets`
  app = createApp(api.deps)
})

async function change(
  { address }: Actor,
  accountRecoveryCode: string,
  headers: Record<string, string> = {},
  by: Pick<App, 'request'> = app,
): Promise<Answer> {
  const body = JSON.stringify({ address, accountRecoveryCode, newWithdrawalAddress: anActor().address })
  const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } }
  const response = await by.request('/api/wallet/change-withdrawal-address', init)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('wrong codes', () => {
  test('given five a day, then nothing is compared any more, the right one neither', async () => {
    const owner = anActor()
    const code = await register(api, owner, anActor().address)
    for (let step = 1; step <= 5; step += 1) expect((await change(owner, anotherCode(code, step))).status).toBe(403)
    const refused = await change(owner, code)
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  })

  test('given the right digits with NUL behind them, then it is a wrong code', async () => {
    const owner = anActor()
    const code = await register(api, owner, anActor().address)
    expect((await change(owner, `${code}\0`)).status).toBe(403)
    expect((await change(owner, code)).status).toBe(200)
  })

  test('given many at one time, then five are compared', async () => {
    const { costs, scrypt } = countedScrypt()
    const owner = anActor()
    const code = await register(api, owner, anActor().address)
    const counting = createApp({ ...api.deps, passwords: createPasswordHasher(scrypt) })
    const answers = Array.from({ length: 30 }, (_, step) => change(owner, anotherCode(code, step + 1), {}, counting))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 403)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
    expect(costs).toHaveLength(5)
  })

  test('given strangers who used up the tries, then the wallet itself still changes its address', async () => {
    const owner = anActor()
    const code = await register(api, owner, anActor().address)
    for (let step = 1; step <= 6; step += 1) await change(owner, anotherCode(code, step))
    expect((await change(owner, code)).status).toBe(429)
    expect((await change(owner, code, await readHeadersOf(anActor()))).status).toBe(429)
    expect((await change(owner, code, await readHeadersOf(owner))).status).toBe(200)
  })

  test('given the tries of all wallets are used up, then strangers to any wallet are refused, and no wallet itself', async () => {
    const owners = [anActor(), anActor(), anActor(), anActor()]
    const codes: string[] = []
    for (const owner of owners) codes.push(await register(api, owner, anActor().address))
    const statuses: number[] = []
    for (const [place, owner] of owners.entries()) {
      for (let step = 1; step <= 4; step += 1) {
        statuses.push((await change(owner, anotherCode(codes[place] ?? '', step))).status)
      }
    }
    expect(statuses.map((status) => status === 403)).toEqual(statuses.map((_, place) => place < 12))
    const [, , , last = anActor()] = owners
    expect((await change(last, codes[3] ?? '')).status).toBe(429)
    expect((await change(last, codes[3] ?? '', await readHeadersOf(last))).status).toBe(200)
  })

  test('given codes that the service is too busy to compare, then they use up nothing', async () => {
    const owner = anActor()
    const code = await register(api, owner, anActor().address)
    const passwords: PasswordHasher = {
      hash: (password) => api.deps.passwords.hash(password),
      matches: () => Promise.reject(new Overloaded('The service looks at too many passwords now')),
    }
    const busy = createApp({ ...api.deps, passwords })
    for (const headers of [{}, await readHeadersOf(owner)]) {
      for (let step = 1; step <= 6; step += 1) expect((await change(owner, code, headers, busy)).status).toBe(503)
    }
    expect((await change(owner, anotherCode(code))).status).toBe(403)
    expect((await change(owner, code, await readHeadersOf(owner))).status).toBe(200)
  })

  test('given right codes, then they use up nothing', async () => {
    const owner = anActor()
    let code = await register(api, owner, anActor().address)
    for (let round = 1; round <= 15; round += 1) {
      const answer = await change(owner, code)
      expect(answer.status).toBe(200)
      code = answer.body.accountRecoveryCode
    }
  })
})

describe('a code', () => {
  test('is in no log line and in no row, whether it is right or wrong', async () => {
    const log = captureLog()
    const traced = await startTestApi({ LOG_LEVEL: 'trace' }, log)
    const owner = anActor()
    const first = await register(traced, owner, anActor().address)
    const wrong = anotherCode(first)
    await change(owner, wrong, {}, traced.app)
    const { body } = await change(owner, first, {}, traced.app)
    const second: string = body.accountRecoveryCode
    const rows = await traced.sql`select to_jsonb(a)::text as row from service.withdrawal_addresses a`
    await traced.stop()
    const stored = JSON.stringify(rows)
    for (const code of [first, wrong, second]) {
      expect(log.text()).not.toContain(code)
      expect(stored).not.toContain(code)
    }
    expect(stored).toContain('$scrypt$')
  })

  test('is revealed once, for a row that an operator imported without one', async () => {
    const [owner, target, other] = [anActor(), anActor(), anActor()]
    await api.sql`insert into service.withdrawal_addresses (wallet, address) values (${owner.address}, ${target.address})`
    const reveal = async (signer: Actor, path = 'reveal-recovery-code') =>
      await api.post(`/api/wallet/${path}`, {
        address: owner.address,
        signature: await signer.account.signMessage({
          message: `service:reveal-account-recovery-code:${owner.address}`,
        }),
      })
    expect((await change(owner, '00000000')).status).toBe(409)
    expect((await reveal(other)).status).toBe(403)
    const answers = await Promise.all([reveal(owner), reveal(owner, 'reveal-backfilled-recovery-code')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { body } = answers.find(({ status }) => status === 200) ?? { body: null }
    expect((await change(owner, body.accountRecoveryCode)).status).toBe(200)
    const again = await reveal(owner)
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
  })

  test('of a registered address cannot be revealed, nor one of a wallet without an address', async () => {
    const [owner, unknown] = [anActor(), anActor()]
    await register(api, owner, anActor().address)
    for (const wallet of [owner, unknown]) {
      const message = `service:reveal-account-recovery-code:${wallet.address}`
      const signature = await wallet.account.signMessage({ message })
      const answer = await api.post('/api/wallet/reveal-recovery-code', { address: wallet.address, signature })
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    }
  })
})
