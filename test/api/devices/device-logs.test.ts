import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChain } from '../../../api/chain/viem-chain.ts'
import { createLogger } from '../../../api/observability/logger.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { oneNode } from '../../support/one-node.ts'

const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

let api: TestApi
/** A node on which every account is a contract, and no contract answers. */
let node: Server
beforeAll(async () => {
  api = await startTestApi()
  node = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { id, method } = JSON.parse(text)
      if (method === 'eth_getCode') response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x6001' }))
      else response.writeHead(503).end('away')
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => node.close(resolve))
  await api.stop()
})

/** The service with a log of every line it writes. */
function listeningApp(changes: Partial<TestApi['deps']> = {}): { app: Hono; said: string[] } {
  const said: string[] = []
  const config = { ...api.deps.config, LOG_LEVEL: 'trace' as const }
  const log = createLogger({ config, destination: { write: (line) => said.push(line) } })
  return { app: createApp({ ...api.deps, ...changes, log }), said }
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
  headers?: Record<string, string>
}

async function send(app: Hono, { method, path, body, headers }: Call): Promise<Pick<Answer, 'status' | 'body'>> {
  const response = await app.request(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const signatureOf = (actor: Actor) => actor.account.signMessage({ message: `service:device-register:${actor.address}` })

/** Every secret in a request or an answer of the device routes. */
function expectUnsaid(said: string[], secrets: string[]): void {
  expect(said.length).toBeGreaterThan(0)
  const text = said.join('\n').toLowerCase()
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(30)
    expect(text).not.toContain(secret.toLowerCase().replace(/^0x/, ''))
  }
}

/** All device routes with credentials in all positions; the statuses they answer. */
async function useEverything(app: Hono, deviceId: string, apiToken: string): Promise<number[]> {
  const headers = { 'X-Service-Api-Token': apiToken }
  const path = `/api/devices/${deviceId}`
  const calls: Call[] = [
    { method: 'POST', path: `${path}/key`, body: { deviceId, apiToken } },
    { method: 'POST', path: `${path}/key`, body: {}, headers },
    { method: 'POST', path: `${path}/key`, body: { deviceId: randomUUID(), apiToken } },
    { method: 'POST', path: `${path}/key`, body: { deviceId: 5, apiToken } },
    { method: 'GET', path: `${path}/status?deviceId=${deviceId}&apiToken=${apiToken}` },
    { method: 'GET', path: `${path}/status`, headers },
    { method: 'GET', path: `${path}/nothing?apiToken=${apiToken}`, headers },
    { method: 'DELETE', path: `${path}?apiToken=${apiToken}`, headers },
  ]
  const statuses: number[] = []
  for (const call of calls) statuses.push((await send(app, call)).status)
  return statuses
}

test('given any device route and any outcome, then no token, signature or key is in the log', async () => {
  const { app, said } = listeningApp()
  const [alice, mallory] = [anActor(), anActor()]
  const signature = await signatureOf(alice)
  const forged = await signatureOf(mallory)
  const read = await readHeadersOf(alice)
  const register = (fields: object, headers: Record<string, string> = {}) =>
    send(app, { method: 'POST', path: '/api/devices', body: { walletAddress: alice.address, ...fields }, headers })
  const { status, body: device } = await register({ signature, publicKey: PUBLIC_KEY }, read)
  expect(status).toBe(200)
  expect((await register({ signature: forged }, read)).status).toBe(403)
  expect((await register({ signature, publicKey: 'none' })).status).toBe(400)
  expect(await useEverything(app, device.deviceId, device.apiToken)).toEqual([200, 200, 400, 400, 200, 200, 404, 200])
  const wrongToken = 'f00d'.repeat(16)
  expect(await useEverything(app, device.deviceId, wrongToken)).toEqual([401, 401, 400, 400, 401, 401, 404, 401])
  const { apiToken, deviceEncryptionKey } = device
  const readSignature = read['X-Service-Caller-Signature'] ?? ''
  expectUnsaid(said, [apiToken, wrongToken, deviceEncryptionKey, signature, forged, readSignature])
})

test('given a contract wallet’s node that fails with the request in its error, then neither', async () => {
  const { port } = node.address() as AddressInfo
  const chain = createChain({
    nodes: oneNode(`http://127.0.0.1:${port}`),
    deployment: api.deps.deployment,
    findIndexed: () => null,
    isStale: () => false,
  })
  const { app, said } = listeningApp({ chain })
  const [wallet, signer] = [anActor(), anActor()]
  const signature = await signatureOf(signer)
  const readSignature = (await readHeadersOf(signer))['X-Service-Caller-Signature'] ?? ''
  const answer = await send(app, {
    method: 'POST',
    path: '/api/devices',
    body: { walletAddress: wallet.address, signature },
    headers: { 'X-Service-Caller-Address': wallet.address, 'X-Service-Caller-Signature': readSignature },
  })
  expect(answer.status).toBe(503)
  // Long enough for the part of an encoded call that it has.
  const parts = [signature, readSignature].flatMap((text) => [text.slice(2, 66), text.slice(66, 130)])
  expectUnsaid(said, parts)
  expect(said.join()).toContain('read identity check failed')
})
