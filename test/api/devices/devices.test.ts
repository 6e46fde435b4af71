import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { type Answer, startTestApi } from '../../support/api.ts'
import { aStartedApi } from '../writes/started-api.ts'

const HEX_32 = /^[0-9a-f]{64}$/
const PUBLIC_KEY = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

const api = aStartedApi()

const signatureOf = (actor: Actor, wallet = actor) =>
  actor.account.signMessage({ message: `service:device-register:${wallet.address}` })

const register = async (actor: Actor, fields: object = {}, headers: Record<string, string> = {}) =>
  await api.post('/api/devices', { walletAddress: actor.account.address, ...fields }, headers)

const aVerifiedDevice = async (actor = anActor()) =>
  (await register(actor, { signature: await signatureOf(actor) })).body

const keyOf = (deviceId: string, apiToken: unknown) => api.post(`/api/devices/${deviceId}/key`, { deviceId, apiToken })
const statusOf = (deviceId: string, headers: Record<string, string>) =>
  api.get(`/api/devices/${deviceId}/status`, headers)
const end = async (deviceId: string, apiToken: string) =>
  await api.app.request(`/api/devices/${deviceId}`, {
    method: 'DELETE',
    headers: { 'X-Service-Api-Token': apiToken },
  })

const refusal = ({ status, body }: Answer) => [status, body.code, body.service.detail]

describe('registration', () => {
  test('given a wallet, then it answers an id, a token, a key and no agent id; a signature makes the device verified', async () => {
    const alice = anActor()
    const { status, headers, body } = await register(alice, { signature: await signatureOf(alice) })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        deviceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        apiToken: expect.stringMatching(HEX_32),
        deviceEncryptionKey: expect.stringMatching(HEX_32),
        agentId: null,
        verified: true,
        publicKey: null,
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('given two devices of a wallet, then they share nothing', async () => {
    const alice = anActor()
    const [one, other] = [await aVerifiedDevice(alice), await aVerifiedDevice(alice)]
    for (const name of ['deviceId', 'apiToken', 'deviceEncryptionKey']) expect(one[name]).not.toBe(other[name])
  })

  test('given the table, then it has neither token nor key', async () => {
    const { deviceId, apiToken, deviceEncryptionKey } = await aVerifiedDevice()
    const rows = await api.sql`select devices::text as stored from devices where id = ${deviceId}`
    expect(rows).toHaveLength(1)
    expect(rows[0]?.stored).not.toContain(apiToken)
    expect(rows[0]?.stored).not.toContain(deviceEncryptionKey)
    expect(rows[0]?.stored).not.toContain(Buffer.from(apiToken).toString('hex'))
  })

  test.each([
    ['nobody', async () => ({}), false],
    ['the wallet', (alice: Actor) => readHeadersOf(alice), true],
    ['another wallet', () => readHeadersOf(anActor()), false],
    [
      'a forger',
      async (alice: Actor) => ({ ...(await readHeadersOf(anActor())), 'X-Service-Caller-Address': alice.address }),
      false,
    ],
  ])('given no signature and read-identity headers of %s, then they decide', async (_, headersOf, verified) => {
    const alice = anActor()
    expect((await register(alice, {}, await headersOf(alice))).body.verified).toBe(verified)
  })

  test('given a wrong signature, then 403, with any headers, and nothing is registered', async () => {
    const [alice, mallory] = [anActor(), anActor()]
    const readSignature = (await readHeadersOf(alice))['X-Service-Caller-Signature']
    for (const signature of [
      await signatureOf(mallory),
      await signatureOf(mallory, alice),
      readSignature,
      '0x',
      '0x12',
    ]) {
      const answer = await register(alice, { signature }, await readHeadersOf(alice))
      expect(refusal(answer)).toEqual([403, 'FORBIDDEN', 'signature_invalid'])
    }
    expect(await api.sql`select 1 from devices where wallet = ${alice.address}`).toHaveLength(0)
  })

  test('given a public key, then it is stored when the body is signed, and only then', async () => {
    const alice = anActor()
    const signature = await signatureOf(alice)
    const signed = await register(alice, { publicKey: PUBLIC_KEY.slice(2).toUpperCase(), signature })
    expect(signed.body).toMatchObject({ verified: true, publicKey: PUBLIC_KEY.slice(2) })
    const read = await register(alice, { publicKey: PUBLIC_KEY }, await readHeadersOf(alice))
    expect(read.body).toMatchObject({ verified: true, publicKey: null })
    expect((await register(alice, { publicKey: PUBLIC_KEY })).body).toMatchObject({ verified: false, publicKey: null })
    const rows =
      await api.sql`select id, public_key from devices where wallet = ${alice.address} and public_key is not null`
    expect([...rows]).toEqual([{ id: signed.body.deviceId, publicKey: PUBLIC_KEY }])
  })

  test.each([
    ['an uncompressed key', { publicKey: `0x04${'11'.repeat(64)}` }],
    ['a point that is on no curve', { publicKey: `0x02${'ff'.repeat(32)}` }],
    ['no hex', { publicKey: 'key' }],
    ['a key that is too short', { publicKey: `02${'11'.repeat(31)}` }],
    ['an empty key', { publicKey: '0x' }],
    ['a wallet that is none', { walletAddress: '0x12' }],
    ['no wallet', { walletAddress: undefined }],
    ['a signature that is no hex', { signature: 'signed' }],
  ])('given %s, then 400', async (_, fields) => {
    expect(refusal(await register(anActor(), fields))).toEqual([400, 'BAD_REQUEST', 'invalid_input'])
  })

  test('given an agent id, then it is the indexed one', async () => {
    const alice = anActor()
    await api.seed.agent(alice.address, { agentId: 42n })
    expect((await register(alice)).body.agentId).toBe('42')
  })

  test('given a contract wallet and no chain, then it is not registered', async () => {
    const { chain } = api
    const { verifyMessage } = chain
    chain.verifyMessage = () => Promise.reject(new ChainUnavailable('no answer'))
    try {
      const alice = anActor()
      const answer = await register(alice, { signature: await signatureOf(alice) })
      expect(refusal(answer)).toEqual([503, 'SERVICE_UNAVAILABLE', 'node_unavailable'])
      expect((await register(alice, {}, await readHeadersOf(alice))).body.verified).toBe(false)
    } finally {
      chain.verifyMessage = verifyMessage
    }
  })
})

describe('the key', () => {
  test('given the token, then it is answered, repeatedly, verified or not', async () => {
    for (const device of [await aVerifiedDevice(), (await register(anActor())).body]) {
      const { deviceId, apiToken, deviceEncryptionKey } = device
      for (let round = 0; round < 2; round += 1) {
        const { status, headers, body } = await keyOf(deviceId, apiToken)
        expect({ status, body }).toEqual({ status: 200, body: { deviceEncryptionKey } })
        expect(headers.get('cache-control')).toBe('no-store')
      }
    }
  })

  test('given the device id in the path alone, in any letter case, and the token in its header, then it is answered', async () => {
    const { deviceId, apiToken, deviceEncryptionKey } = await aVerifiedDevice()
    const path = `/api/devices/${deviceId.toUpperCase()}/key`
    expect((await api.post(path, { apiToken })).body).toEqual({ deviceEncryptionKey })
    expect((await api.post(path, {}, { 'X-Service-Api-Token': apiToken })).body).toEqual({ deviceEncryptionKey })
  })

  test('given a body with another device than the path, then 400', async () => {
    const { deviceId, apiToken } = await aVerifiedDevice()
    const answer = await api.post(`/api/devices/${deviceId}/key`, { deviceId: randomUUID(), apiToken })
    expect(refusal(answer)).toEqual([400, 'BAD_REQUEST', 'invalid_input'])
  })

  test('given no secret that opens it, then it is a failure of the service, not of the token', async () => {
    const { deviceId, apiToken } = await aVerifiedDevice()
    const other = await aVerifiedDevice()
    await api.sql`
      update devices set sealed_key = (select sealed_key from devices where id = ${other.deviceId})
      where id = ${deviceId}`
    expect(refusal(await keyOf(deviceId, apiToken))).toEqual([500, 'INTERNAL_SERVER_ERROR', 'internal_error'])
  })
})

describe('the status', () => {
  test('given a device, then it names its wallet; the token may be in the query or in its header', async () => {
    const alice = anActor()
    const { deviceId, apiToken } = await aVerifiedDevice(alice)
    const expected = { walletAddress: alice.account.address, active: true, verified: true }
    expect((await statusOf(deviceId, { 'X-Service-Api-Token': apiToken })).body).toEqual(expected)
    const byQuery = await api.get(`/api/devices/${deviceId}/status?deviceId=${deviceId}&apiToken=${apiToken}`)
    expect(byQuery.body).toEqual(expected)
    expect(byQuery.headers.get('cache-control')).toBe('private')
    expect(byQuery.headers.get('vary')?.toLowerCase()).toContain('x-service-api-token')
  })

  test('given an unverified device, then it says so', async () => {
    const { deviceId, apiToken } = (await register(anActor())).body
    const { body } = await statusOf(deviceId, { 'X-Service-Api-Token': apiToken })
    expect(body).toMatchObject({ active: true, verified: false })
  })
})

describe('a wrong token and an unknown device', () => {
  test('given any position of a token, then both get the same answer', async () => {
    const { deviceId, apiToken } = await aVerifiedDevice()
    const other = await aVerifiedDevice()
    const tokens = ['', 'x', apiToken.toUpperCase(), `${apiToken}0`, apiToken.slice(1), `0x${apiToken}`, other.apiToken]
    const bodies = new Set<string>()
    const unknown = randomUUID()
    const attempts = [...tokens.map((token) => [deviceId, token]), [unknown, apiToken], [unknown, '']]
    for (const [id = '', token = ''] of attempts) {
      const answers = [
        await keyOf(id, token),
        await statusOf(id, { 'X-Service-Api-Token': token }),
        await api.get(`/api/devices/${id}/status?apiToken=${token}`),
      ]
      const ended = await end(id, token)
      for (const answer of answers) {
        expect(answer.status).toBe(401)
        bodies.add(JSON.stringify(answer.body))
      }
      expect(ended.status).toBe(401)
      bodies.add(await ended.text())
    }
    expect(bodies.size).toBe(1)
    expect((await statusOf(deviceId, { 'X-Service-Api-Token': apiToken })).body.active).toBe(true)
  })

  test('given no token, then 401 too', async () => {
    const { deviceId } = await aVerifiedDevice()
    for (const answer of [await keyOf(deviceId, undefined), await statusOf(deviceId, {})]) {
      expect(refusal(answer)).toEqual([401, 'UNAUTHORIZED', 'device_not_found'])
    }
  })
})

describe('an ended device', () => {
  test('given an ended device, then it has a status only; ending it again changes nothing', async () => {
    const { deviceId, apiToken } = await aVerifiedDevice()
    for (let round = 0; round < 2; round += 1) {
      const ended = await end(deviceId, apiToken)
      expect([ended.status, await ended.json()]).toEqual([200, { success: true }])
    }
    expect(refusal(await keyOf(deviceId, apiToken))).toEqual([403, 'FORBIDDEN', 'device_ended'])
    const { status, body } = await statusOf(deviceId, { 'X-Service-Api-Token': apiToken })
    expect([status, body.active]).toEqual([200, false])
  })

  test('given an operator who ends the devices of a wallet, then they can be restored with their keys', async () => {
    const alice = anActor()
    const { deviceId, apiToken, deviceEncryptionKey } = await aVerifiedDevice(alice)
    await api.sql`update service.devices set is_active = false where wallet = ${alice.address}`
    expect((await keyOf(deviceId, apiToken)).status).toBe(403)
    await api.sql`update service.devices set is_active = true where wallet = ${alice.address}`
    expect((await keyOf(deviceId, apiToken)).body).toEqual({ deviceEncryptionKey })
  })
})

test('given the maximum of registrations in an hour, then the client is told when to retry', async () => {
  const strict = await startTestApi({ DEVICES_PER_HOUR: '10', TRUSTED_PROXIES: '10.0.0.1' })
  try {
    const registerFrom = async (client: string, walletAddress: string) =>
      await strict.app.request(
        '/api/devices',
        {
          method: 'POST',
          body: JSON.stringify({ walletAddress }),
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
        },
        { incoming: { socket: { remoteAddress: '10.0.0.1' } } },
      )
    // A request that registers nothing consumes nothing.
    expect((await registerFrom('203.0.113.1', 'nobody')).status).toBe(400)
    for (let count = 0; count < 10; count += 1) {
      expect((await registerFrom('203.0.113.1', anActor().address)).status).toBe(200)
    }
    const refused = await registerFrom('203.0.113.1', anActor().address)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await registerFrom('203.0.113.2', anActor().address)).status).toBe(200)
  } finally {
    await strict.stop()
  }
})

test('as procedures: registered, read, and ended', async () => {
  const alice = anActor()
  const mutate = (name: string, input: object, headers: Record<string, string> = {}) =>
    api.post(`/trpc/devices.${name}`, input, headers)
  const registered = await mutate('register', { walletAddress: alice.address, signature: await signatureOf(alice) })
  expect(registered.headers.get('cache-control')).toBe('no-store')
  const { deviceId, apiToken, deviceEncryptionKey } = registered.body.result.data
  const key = await mutate('key', { deviceId, apiToken })
  expect([key.headers.get('cache-control'), key.body.result.data]).toEqual(['no-store', { deviceEncryptionKey }])
  const headers = { 'X-Service-Api-Token': apiToken }
  const statusNow = () =>
    api.get(`/trpc/devices.status?input=${encodeURIComponent(JSON.stringify({ deviceId }))}`, headers)
  expect((await statusNow()).body.result.data).toMatchObject({ walletAddress: alice.account.address, active: true })
  expect((await mutate('end', { deviceId })).status).toBe(401)
  expect((await mutate('end', { deviceId }, headers)).body.result.data).toEqual({ success: true })
  expect((await statusNow()).body.result.data).toMatchObject({ active: false })
})
