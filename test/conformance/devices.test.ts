import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()

const signatureOf = (wallet: Actor) =>
  wallet.account.signMessage({ message: `service:device-register:${wallet.address}` })

/** A registration as specified: no key, no signature, one field. */
const register = async (wallet: Actor, fields: object = {}) => {
  const { status, body } = await environment.post('/devices', {
    key: null,
    body: { walletAddress: wallet.account.address, ...fields },
  })
  expect(status).toBe(200)
  return body
}

const statusOf = (deviceId: string, apiToken: string) =>
  environment.get(`/devices/${deviceId}/status?deviceId=${deviceId}&apiToken=${apiToken}`)

describe('Devices: POST /devices', () => {
  test('returns id, one-time token, encryption key and agent id', async () => {
    expect(await register(anActor())).toMatchObject({
      deviceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiToken: expect.stringMatching(/^[0-9a-f]{64}$/),
      deviceEncryptionKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      agentId: null,
      verified: false,
    })
  })

  test('with the wallet’s signature the device is verified; another signature is refused', async () => {
    const alice = anActor()
    expect(await register(alice, { signature: await signatureOf(alice) })).toMatchObject({ verified: true })
    const body = { walletAddress: alice.address, signature: await signatureOf(anActor()) }
    expectRefusal(await environment.post('/devices', { key: null, body }), 403, 'unclassified')
  })
})

describe('Devices: key and status', () => {
  test('the token returns the key', async () => {
    const { deviceId, apiToken, deviceEncryptionKey } = await register(anActor())
    const { status, body } = await environment.post(`/devices/${deviceId}/key`, {
      key: null,
      body: { deviceId, apiToken },
    })
    expect({ status, body }).toEqual({ status: 200, body: { deviceEncryptionKey } })
  })

  test('the status names the wallet, with the token in the query or in its header', async () => {
    const alice = anActor()
    const { deviceId, apiToken } = await register(alice)
    const expected = { walletAddress: alice.account.address, active: true }
    expect((await statusOf(deviceId, apiToken)).body).toMatchObject(expected)
    const byHeader = await environment.get(`/devices/${deviceId}/status`, {
      headers: { 'x-service-api-token': apiToken },
    })
    expect(byHeader.body).toMatchObject(expected)
  })

  test('an ended device has that status, and its key is no longer returned', async () => {
    const { deviceId, apiToken } = await register(anActor())
    const response = await environment.fetch(`${environment.baseUrl}/api/devices/${deviceId}`, {
      method: 'DELETE',
      headers: { 'X-Service-Api-Token': apiToken },
    })
    expect([response.status, await response.json()]).toEqual([200, { success: true }])
    expect((await statusOf(deviceId, apiToken)).body).toMatchObject({ active: false })
    expectRefusal(
      await environment.post(`/devices/${deviceId}/key`, { body: { deviceId, apiToken } }),
      403,
      'unclassified',
    )
  })

  test('a wrong token and an unknown device get the same 401', async () => {
    const { deviceId, apiToken } = await register(anActor())
    const other = await register(anActor())
    const answers = [
      await statusOf(deviceId, other.apiToken),
      await statusOf(aKey(), apiToken),
      await environment.get(`/devices/${deviceId}/status`),
      await environment.post(`/devices/${deviceId}/key`, { body: { deviceId, apiToken: other.apiToken } }),
      await environment.post(`/devices/${aKey()}/key`, { body: { apiToken } }),
    ]
    for (const answer of answers) expect(expectRefusal(answer, 401, 'unclassified')).toEqual(answers[0]?.body)
  })
})
