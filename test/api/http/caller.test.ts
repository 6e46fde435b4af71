import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { mintAccessGrant } from '../../../api/identity/access-grant.ts'
import { identify, identifyCallers } from '../../../api/identity/caller.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const ADDRESS = 'X-Service-Caller-Address'
const SIGNATURE = 'X-Service-Caller-Signature'
const GRANT = 'X-Service-Task-Access-Grant'
const TOKEN = 'X-Service-Api-Token'

const requester = anActor()
const alice = anActor()

const api = aStartedApi({ WRONG_IDENTITIES_PER_MINUTE: '20', TRUSTED_PROXIES: '10.0.0.1' })

test('given more garbage headers of one client than a minute admits, then the rest is not looked at, and no other client pays for them', async () => {
  const task = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
  /** Whether a client sees a private task, which only its requester does. */
  const sees = async (client: string, headers: Record<string, string>) => {
    const { status } = await api.app.request(
      `/api/tasks/${task.id}/submissions`,
      { headers: { 'X-Forwarded-For': client, ...headers } },
      { incoming: { socket: { remoteAddress: '10.0.0.1' } } },
    )
    expect([200, 404]).toContain(status)
    return status === 200
  }
  const garbage = (count: number) => ({
    [ADDRESS]: alice.address,
    [SIGNATURE]: `0x${count.toString(16).padStart(128, '0')}1b`,
  })
  const mine = await readHeadersOf(requester)
  expect(await sees('203.0.113.1', mine)).toBe(true)
  const before = api.chain.signatureChecks
  for (let count = 0; count < 25; count += 1) expect(await sees('203.0.113.1', garbage(count))).toBe(false)
  expect(api.chain.signatureChecks - before).toBe(20)
  // Who was known stays known, and other clients are looked at as ever.
  expect(await sees('203.0.113.1', mine)).toBe(true)
  expect(await sees('203.0.113.2', garbage(2000))).toBe(false)
  expect(api.chain.signatureChecks - before).toBe(21)
})

test('given a chain that cannot be asked, then the caller is anonymous', async () => {
  const { verifyMessage } = api.chain
  api.chain.verifyMessage = () => Promise.reject(new ChainUnavailable('no answer'))
  try {
    const reader = anActor()
    const task = await api.seed.task({ requester: reader.address }, { taskVisibility: 'private' })
    const { status, body } = await api.get(`/api/tasks/${task.id}`, await readHeadersOf(reader))
    expect({ status, body }).toEqual({ status: 200, body: null })
  } finally {
    api.chain.verifyMessage = verifyMessage
  }
})

describe('one caller a request', () => {
  const subject = { taskId: `0x${'ab'.repeat(32)}`, passwordVersion: 'salt' } as const
  const ask = async (headers: Record<string, string>, credentials: { deviceId: string; apiToken?: string }) => {
    const app = new Hono()
    app.use(identifyCallers(() => 'a client', 20))
    app.get('/', async (c) => {
      const caller = identify(c, api.deps)
      const [address, again, device] = [
        await caller.address(),
        await caller.address(),
        await caller.device(credentials),
      ]
      expect(identify(c, api.deps)).toBe(caller)
      return c.json({ address, again, wallet: device?.wallet ?? null, sees: caller.holdsGrant(subject, START) })
    })
    return await (await app.request('/', { headers })).json()
  }
  const aDevice = async (actor: Actor, headers: Record<string, string> = {}) =>
    (await api.post('/api/devices', { walletAddress: actor.address }, headers)).body

  test('says its read address, its device and its grants, each found out once', async () => {
    const [reader, owner] = [anActor(), anActor()]
    const { deviceId, apiToken } = await aDevice(owner)
    const { grant } = mintAccessGrant(api.deps.config.URL_SIGNING_SECRET, subject, START)
    const headers = { ...(await readHeadersOf(reader)), [TOKEN]: apiToken, [GRANT]: grant }
    const before = api.chain.signatureChecks
    expect(await ask(headers, { deviceId })).toEqual({
      address: reader.address,
      again: reader.address,
      wallet: owner.address,
      sees: true,
    })
    expect(api.chain.signatureChecks - before).toBe(1)
  })

  test('a token given elsewhere goes before the header, and a wrong one opens nothing', async () => {
    const owner = anActor()
    const { deviceId, apiToken } = await aDevice(owner)
    const none = { address: null, again: null, wallet: null, sees: false }
    expect(await ask({ [TOKEN]: 'wrong' }, { deviceId, apiToken })).toEqual({ ...none, wallet: owner.address })
    expect(await ask({ [TOKEN]: apiToken }, { deviceId, apiToken: 'wrong' })).toEqual(none)
    expect(await ask({}, { deviceId })).toEqual(none)
  })
})

describe('the end of a read identity', () => {
  const signature = `0x${'ab'.repeat(65)}`
  const later = String(START + 172_800n)

  test.each([
    ['malformed', 'tomorrow', 'window_too_short'],
    ['over', '1', 'window_too_short'],
    ['two days ahead', later, 'window_too_long'],
    ['in milliseconds', String(START * 1000n), 'window_too_long'],
  ])('%s is 401 with its reason, before address and signature are looked at', async (_, end, detail) => {
    const others: Record<string, string>[] = [
      {},
      { [ADDRESS]: alice.address },
      { [ADDRESS]: alice.address, [SIGNATURE]: signature },
    ]
    for (const more of others) {
      const { status, body } = await api.get('/api/bids/my', { 'X-Service-Read-Expires': end, ...more })
      expect([status, body.service.detail]).toEqual([401, detail])
    }
  })

  test('one that is admitted leaves a request without a signature anonymous', async () => {
    const { status, body } = await api.get('/api/bids/my', { 'X-Service-Read-Expires': String(START + 3600n) })
    expect([status, body.error]).toEqual([401, expect.stringContaining('Say who asks')])
  })
})
