import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { mintAccessGrant } from '../../../api/identity/access-grant.ts'
import { identify, identifyCallers } from '../../../api/identity/caller.ts'
import { actingDevice } from '../../../api/identity/device-auth.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'

const ADDRESS = 'X-Service-Caller-Address'
const SIGNATURE = 'X-Service-Caller-Signature'
const GRANT = 'X-Service-Task-Access-Grant'
const TOKEN = 'X-Service-Api-Token'

const requester = anActor()
const alice = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ WRONG_IDENTITIES_PER_MINUTE: '20', TRUSTED_PROXIES: '10.0.0.1' })
})
afterAll(() => api.stop())

describe('the price of wrong signatures', () => {
  const checksFor = async (work: () => Promise<unknown>) => {
    const before = api.chain.signatureChecks
    await work()
    return api.chain.signatureChecks - before
  }
  /** Whether a client sees a private task, which only its requester does. */
  const sees = async (client: string, headers: Record<string, string>, taskId: string) => {
    const { status } = await api.app.request(
      `/api/tasks/${taskId}/submissions`,
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

  test('a thousand garbage headers of one client are looked at twenty times; no other client pays for them', async () => {
    const task = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
    const mine = await readHeadersOf(requester)
    expect(await sees('203.0.113.1', mine, task.id)).toBe(true)
    expect(
      await checksFor(async () => {
        for (let count = 0; count < 1000; count += 1) {
          expect(await sees('203.0.113.1', garbage(count), task.id)).toBe(false)
        }
      }),
    ).toBe(20)
    // Who was known stays known, and other clients are looked at as ever.
    expect(await sees('203.0.113.1', mine, task.id)).toBe(true)
    expect(await checksFor(() => sees('203.0.113.2', garbage(2000), task.id))).toBe(1)
  })

  test('three hundred at once cost no more', async () => {
    const task = await api.seed.task({ requester: requester.address })
    const readAll = () =>
      Promise.all(Array.from({ length: 300 }, (_, count) => sees('203.0.113.3', garbage(3000 + count), task.id)))
    expect(await checksFor(readAll)).toBe(20)
  })

  test('a hundred requests of one caller at once share one check', async () => {
    const task = await api.seed.task({ requester: alice.address }, { taskVisibility: 'private' })
    const headers = await readHeadersOf(alice)
    const readAll = async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, count) => sees(`203.0.113.${count + 10}`, headers, task.id)),
      )
      expect(answers).toEqual(Array(100).fill(true))
    }
    expect(await checksFor(readAll)).toBe(1)
  })
})

describe('a chain that cannot be asked', () => {
  let verifyMessage: TestApi['chain']['verifyMessage']
  beforeAll(() => {
    verifyMessage = api.chain.verifyMessage
  })
  afterEach(() => {
    api.chain.verifyMessage = verifyMessage
  })

  test.each([
    ['gives no answer', () => Promise.reject(new ChainUnavailable('no answer'))],
    ['fails unexpectedly', () => Promise.reject(new Error('?'))],
    [
      'throws at once',
      () => {
        throw new Error('?')
      },
    ],
    ['never answers', () => new Promise<boolean>(() => {})],
  ])('and %s leaves the caller anonymous', async (_, verify) => {
    api.chain.verifyMessage = verify
    const reader = anActor()
    const task = await api.seed.task({ requester: reader.address }, { taskVisibility: 'private' })
    const { status, body } = await api.get(`/api/tasks/${task.id}`, await readHeadersOf(reader))
    expect({ status, body }).toEqual({ status: 200, body: null })
  })
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

  test('a device acts for its wallet only when the wallet signed for it and it was not ended', async () => {
    const owner = anActor()
    const statusOf = async ({ deviceId, apiToken }: { deviceId: string; apiToken: string }) => {
      const app = new Hono()
      app.use(identifyCallers(() => 'a client', 20))
      app.get('/', async (c) => c.text(actingDevice(await identify(c, api.deps).device({ deviceId, apiToken })).wallet))
      app.onError((error, c) => c.text('refused', 'status' in error ? (error.status as 401) : 500))
      return (await app.request('/')).status
    }
    const verified = await aDevice(owner, await readHeadersOf(owner))
    expect(await statusOf(verified)).toBe(200)
    expect(await statusOf({ ...verified, apiToken: 'wrong' })).toBe(401)
    expect(await statusOf(await aDevice(owner))).toBe(403)
    await api.sql`update devices set is_active = false where id = ${verified.deviceId}`
    expect(await statusOf(verified)).toBe(403)
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
