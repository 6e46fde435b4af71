import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTION_FEE } from '../../../api/domain/limits.ts'
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
