import { describe, expect, test } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { toCompressedKey } from '../../support/public-keys.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

const aPublicKey = () => toCompressedKey(anActor().account.publicKey)
const keyOf = ({ address }: Actor) => api.get(`/api/agents/public-key?address=${address}`)

async function aDevice(owner: Actor, how: 'signed' | 'read identity' | 'unverified') {
  const signature = await owner.account.signMessage({ message: `service:device-register:${owner.address}` })
  const body = { walletAddress: owner.address, ...(how === 'signed' && { signature }) }
  const { body: device } = await api.post(
    '/api/devices',
    body,
    how === 'read identity' ? await readHeadersOf(owner) : {},
  )
  return { deviceId: device.deviceId as string, apiToken: device.apiToken as string }
}

const publish = (body: object, headers: Record<string, string> = {}) =>
  api.post('/api/agents/public-key', body, headers)

describe('publishing a key', () => {
  test('takes the place of the last one, and the tasks of the wallet have it', async () => {
    const owner = anActor()
    expect((await keyOf(owner)).body.code).toBe('NOT_FOUND')
    const device = await aDevice(owner, 'signed')
    const [first, second] = [aPublicKey(), aPublicKey()]
    expect(await publish({ ...device, publicKey: first })).toMatchObject({ status: 200, body: { publicKey: first } })
    const upper = `0x${second.toUpperCase()}`
    expect(await publish({ ...device, publicKey: upper })).toMatchObject({ status: 200, body: { publicKey: second } })
    expect((await keyOf(owner)).body).toEqual({ publicKey: second })
    const { id } = await api.seed.task({ requester: owner.address })
    expect((await api.get(`/api/tasks/${id}`)).body.requesterPubkey).toBe(second)
  })

  test('by a signed registration or later, the last one counts; an ended device keeps it, and publishes none', async () => {
    const owner = anActor()
    const device = await aDevice(owner, 'signed')
    await publish({ ...device, publicKey: aPublicKey() })
    const signature = await owner.account.signMessage({ message: `service:device-register:${owner.address}` })
    const registered = aPublicKey()
    const { body } = await api.post('/api/devices', { walletAddress: owner.address, signature, publicKey: registered })
    expect((await keyOf(owner)).body).toEqual({ publicKey: registered })
    const headers = { 'X-Service-Api-Token': body.apiToken }
    await api.app.request(`/api/devices/${body.deviceId}`, { method: 'DELETE', headers })
    expect((await publish({ ...body, publicKey: aPublicKey() })).status).toBe(403)
    expect((await keyOf(owner)).body).toEqual({ publicKey: registered })
  })

  test.each(['read identity', 'unverified'] as const)('is refused to a device of %s', async (how) => {
    const owner = anActor()
    const device = await aDevice(owner, how)
    expect((await publish({ ...device, publicKey: aPublicKey() })).status).toBe(403)
    expect((await keyOf(owner)).status).toBe(404)
  })

  test('needs the token of the device, in the body or in its header', async () => {
    const owner = anActor()
    const { deviceId, apiToken } = await aDevice(owner, 'signed')
    const publicKey = aPublicKey()
    expect((await publish({ deviceId, publicKey })).status).toBe(401)
    expect((await publish({ deviceId, publicKey, apiToken: 'wrong' })).status).toBe(401)
    expect((await publish({ deviceId, publicKey }, { 'X-Service-Api-Token': apiToken })).status).toBe(200)
  })

  test('is refused for what is no compressed key', async () => {
    const device = await aDevice(anActor(), 'signed')
    const answer = await publish({ ...device, publicKey: `02${'11'.repeat(32)}` })
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'publicKey'])
  })
})

describe('the identity of a wallet', () => {
  test('is not registered for a wallet without one, whose registration file stands all the same', async () => {
    const { address, account } = anActor()
    const status = await api.get(`/api/identity/status?address=${address}`)
    expect(status.body).toMatchObject({ agentId: null, registered: false })
    const { body } = await api.get(`/api/agents/${address}/registration`)
    expect(body).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      x402Support: true,
      registrations: [],
      services: [{ endpoint: expect.stringContaining(account.address) }],
    })
  })

  test('is its agent id, and names the registry by chain and address', async () => {
    const owner = anActor()
    await api.seed.agent(owner.address, { agentId: 7n })
    expect((await api.get(`/api/identity/status?address=${owner.address}`)).body).toMatchObject({
      agentId: '7',
      registered: true,
    })
    const { body } = await api.get(`/api/agents/${owner.address}/registration`)
    const registry = api.deps.deployment.identityRegistry
    expect(body.registrations).toEqual([{ agentId: 7, agentRegistry: expect.stringMatching(/^eip155:\d+:0x/) }])
    expect(body.registrations[0].agentRegistry.toLowerCase()).toContain(registry)
  })

  test('is fresh only while the market uses the registry of this deployment', async () => {
    const { address } = anActor()
    const isFresh = async () => (await api.get(`/api/identity/status?address=${address}`)).body.cacheFresh
    const { identityRegistry, market, forwarder, usdc } = api.deps.deployment
    const contracts = { market, forwarder, usdc }
    const columns = { id: 'market', ...contracts, feeBps: 750, defaultHooks: [], paused: false, eventCount: 0 }
    await api.sql`insert into market_config ${api.sql({ ...columns, identityRegistry })}`
    expect(await isFresh()).toBe(true)
    await api.sql`update market_config set identity_registry = ${address}`
    expect(await isFresh()).toBe(false)
  })
})
