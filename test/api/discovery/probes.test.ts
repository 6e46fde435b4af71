import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTION_FEE } from '../../../api/domain/limits.ts'
import { createApp } from '../../../api/server/app.ts'
import { withExampleBodies } from '../../../api/server/discovery/example-bodies.ts'
import { readExamples } from '../../../api/server/openapi/examples.ts'
import { writes } from '../../../api/server/routes.ts'
import { bazaarOf } from '../../../api/writes/stages/challenge-of.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'

const baseUrl = 'https://market.example'
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_BASE_URL: baseUrl })
})
afterAll(() => api.stop())

const send = async (path: string, init: RequestInit, { app } = api) => {
  const answer = await app.request(path, { method: 'POST', ...init })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}
const json = { 'Content-Type': 'application/json' }

test.each([
  ['no body', {}],
  ['an empty object', { body: '{}', headers: json }],
  ['an empty object with spaces', { body: ' { } ', headers: json }],
])('POST /tasks with %s and nothing else gets the price of the least reward, and reserves nothing', async (_, init) => {
  const { status, body } = await send('/api/tasks', init)
  expect([status, body.accepts[0].amount]).toEqual([402, '1000'])
  const [{ count } = {}] = await api.sql`SELECT count(*)::int AS count FROM service.intents`
  expect(count).toBe(0)
})

test('every resource that crawlers are given answers an empty POST with its 402, and no other write does', async () => {
  const { body } = await api.get('/.well-known/x402')
  const listed: string[] = body.resources.map((url: string) => new URL(url).pathname)
  expect(listed.length).toBeGreaterThan(0)
  const mounted = { ...api, app: createApp(api.deps) }
  const probed = await Promise.all(
    writes.map(async ({ path }) => {
      const filled = `/api${path.replace(/\{\w+\}/g, `0x${'ab'.repeat(32)}`)}`
      return { filled, status: (await send(filled, {}, mounted)).status }
    }),
  )
  expect(probed.filter(({ status }) => status === 402).map(({ filled }) => filled)).toEqual(listed)
})

test.each([
  ['a field', '/api/tasks', { body: '{"reward":"1000"}', headers: json }],
  ['an array', '/api/tasks', { body: '[]', headers: json }],
  ['no JSON', '/api/tasks', { body: '{', headers: json }],
  ['a long body', '/api/tasks', { body: `{${' '.repeat(100)}}`, headers: json }],
  ['a payment', '/api/tasks', { headers: { 'PAYMENT-SIGNATURE': 'x' } }],
  ['a payment of version 1', '/api/tasks', { headers: { 'X-PAYMENT': 'x' } }],
  ['nothing, of another write', '/api/identity/register', {}],
])('a request without a key and with %s is 400', async (_, path, init) => {
  const answer = await send(path, init)
  expect([answer.status, answer.body.service.reason]).toEqual([400, 'idempotency_key_required'])
})

test('a key that is no UUID is 400, also without a body', async () => {
  const answer = await send('/api/tasks', { headers: { 'X-Service-Idempotency-Key': 'x' } })
  expect(answer.status).toBe(400)
})

test('what challenges declare of a write is made once', () => {
  for (const write of writes) expect(bazaarOf(write)).toBe(bazaarOf(write))
})

const paths = [
  '/.well-known/x402',
  '/.well-known/agent-registration.json',
  '/server.json',
  '/llms.txt',
  '/skill.md',
  '/openapi.json',
]
const isPaid = ({ modes }: { modes: readonly string[] }) => modes.includes('paid')

describe('a text about the service', () => {
  test.each(paths)('%s has no URL but of PUBLIC_BASE_URL, and no text of an account', async (path) => {
    const marker = 'a-text-of-a-stranger'
    await api.seed.task({ requester: anActor().address }, { description: marker, tags: [marker] })
    const forged = { Host: 'elsewhere.example', 'X-Forwarded-Host': 'elsewhere.example' }
    const plain = await (await api.app.request(path)).text()
    const answer = await api.app.request(`http://elsewhere.example${path}`, { headers: forged })
    expect([answer.status, await answer.text()]).toEqual([200, plain])
    expect(plain).not.toContain('elsewhere.example')
    expect(plain).not.toContain(marker)
  })

  test('llms.txt names only what is there', async () => {
    const { body } = await api.get('/llms.txt')
    const links = [...String(body).matchAll(/\]\((\S+)\)/g)].map(([, url = '']) => url)
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) {
      expect(link.startsWith(`${baseUrl}/`)).toBe(true)
      const { status } = await api.app.request(link.slice(baseUrl.length), { headers: { Host: 'market.example' } })
      // The MCP endpoint takes no GET, and says so.
      expect([link, status]).toEqual([link, link.endsWith('/mcp') ? 405 : 200])
    }
  })

  test('server.json meets the rules of the registry', async () => {
    const { body } = await api.get('/server.json')
    expect(body.name).toBe('example.market/task-market')
    expect(body.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(body.description.length).toBeLessThanOrEqual(100)
    expect(body.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(body.remotes).toEqual([{ type: 'streamable-http', url: `${baseUrl}/mcp` }])
  })

  test('the registration file names the endpoint, and the agent once there is one', async () => {
    const { body } = await api.get('/.well-known/agent-registration.json')
    expect(body).toMatchObject({ x402Support: true, active: true, registrations: [] })
    expect(body.services).toContainEqual({ name: 'MCP', endpoint: `${baseUrl}/mcp`, version: '2026-07-28' })
  })
})

describe('the price of a write', () => {
  let document: Answer['body']
  let resources: Answer['body']
  beforeAll(async () => {
    document = (await api.get('/openapi.json')).body
    resources = (await api.get('/.well-known/x402')).body
  })

  test.each(writes.map((write) => [write.operationId, write] as const))('%s', (operationId, write) => {
    const info = document.paths[`/api${write.path}`].post['x-payment-info']
    if (!isPaid(write)) return expect(info).toBeUndefined()
    expect(info.protocols).toEqual([{ x402: { scheme: 'exact', network: `eip155:${localNetwork.chainId}` } }])
    // A charge that depends on nothing is the fee; any other names its bounds.
    const ofNothing = () => write.charge(undefined, { params: undefined, body: undefined }).amount
    if (write.price === undefined) expect(ofNothing()).toBe(ACTION_FEE)
    else expect(ofNothing).toThrow()
    if (write.price === undefined && write.modes.length === 1) expect(info.price.amount).toBe('0.001')
    const listed = resources.operations.find((one: { operationId: string }) => one.operationId === operationId)
    expect(listed).toEqual({
      operationId,
      method: 'POST',
      urlTemplate: `${baseUrl}/api${write.path}`,
      price: info.price,
    })
  })
})

describe('the declaration in a challenge', () => {
  const declared = withExampleBodies(writes, readExamples()).filter(isPaid)

  test.each(declared.map((write) => [write.operationId, bazaarOf(write)] as const))(
    '%s: its example is as its schema says, and it is small',
    (_, extension) => {
      expect(JSON.stringify(extension).length).toBeLessThanOrEqual(1_200)
      const isAsDeclared = new Ajv2020().compile(extension.schema)
      expect(isAsDeclared(extension.info)).toBe(true)
      expect(isAsDeclared({ ...extension.info, input: { type: 'http', method: 'GET' } })).toBe(false)
    },
  )

  test('is in the header and in the body', async () => {
    const body = { description: 'Write a haiku', reward: '2000000', duration: 24, tags: [] }
    const answer = await api.post('/api/tasks', body, { 'X-Service-Idempotency-Key': crypto.randomUUID() })
    expect(answer.status).toBe(402)
    const inHeader = JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString())
    expect(inHeader).toEqual(answer.body)
    expect(answer.body.extensions.bazaar).toMatchObject({
      info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: { mode: 'bounty' } } },
      routeTemplate: '/api/tasks',
    })
    expect(answer.body.resource.url).toBe(`${baseUrl}/api/tasks`)
  })
})
