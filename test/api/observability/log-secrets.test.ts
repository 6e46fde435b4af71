import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../../../api/chain/viem-chain.ts'
import { startLoop } from '../../../api/concurrency/loop.ts'
import { routes, writes } from '../../../api/server/routes.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { oneNode } from '../../support/one-node.ts'
import { agreeToEverything, aPaidCreate } from '../writes/fake-payments.ts'

/** Every secret of these tests is one of these words, or hex that spells `c0ffee`. */
const CANARY = /canary|c0ffee/i
const SIGNATURE = `0x${'c0ffee'.repeat(22)}`.slice(0, 132)
const RELAYER_KEY = `0x${'c0ffee'.repeat(11)}`.slice(0, 66)

const log = captureLog()
let api: TestApi
let healthyChain: TestApi['chain']
beforeAll(async () => {
  api = await startTestApi(
    {
      LOG_LEVEL: 'trace',
      WRITE_ANSWER_MS: '150',
      RELAYER_KEYS: RELAYER_KEY,
      URL_SIGNING_SECRET: 'canary-url-signing-secret, long enough',
      RPC_URL: 'http://user:canary-rpc-password@127.0.0.1:1/v3/canary-rpc-key?apikey=canary-rpc-query',
    },
    log,
  )
  healthyChain = { ...api.chain }
})
afterAll(() => api.stop())

const headers = {
  Authorization: 'Bearer canary-bearer',
  Cookie: 'session=canary-cookie',
  'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify({ canary: 'payment', signature: SIGNATURE })).toString('base64'),
  'X-Service-Idempotency-Key': 'canary-key',
  'X-Service-Caller-Address': anActor().address,
  'X-Service-Caller-Signature': SIGNATURE,
  'X-Service-Legal-Receipt': 'canary-receipt',
  'X-Service-Task-Access-Grant': 'canary-grant',
  'X-Service-Api-Token': 'canary-token',
}
const body = {
  password: 'canary-password',
  signature: SIGNATURE,
  apiToken: 'canary-api-token',
  accountRecoveryCode: 'canary-recovery',
  description: 'canary-description',
  privateKey: SIGNATURE.slice(0, 66),
}

function expectNoCanary(): void {
  expect(log.text()).not.toBe('')
  expect(log.text().match(CANARY)).toBeNull()
}

describe('no secret in any line', () => {
  it('given every route with secrets in path, query, headers and body, whole and malformed', async () => {
    log.clear()
    let sent = 0
    const send = async (method: string, path: string, text: string | null) => {
      sent += 1
      const url = `${path}?password=canary-query&signature=${SIGNATURE}`
      const type = { 'Content-Type': 'application/json' }
      await api.app.request(url, { method, headers: { ...headers, ...type }, ...(text !== null && { body: text }) })
    }
    for (const { method, path } of routes) {
      await send(method.toUpperCase(), `/api${path.replace(/\{\w+\}/g, 'canary-path')}`, null)
    }
    for (const { path } of writes) {
      for (const id of ['canary-path', `0x${'ab'.repeat(32)}`]) {
        const place = `/api${path.replace(/\{\w+\}/g, id)}`
        await send('POST', place, JSON.stringify(body))
        await send('POST', place, '{"password": "canary-password", canary')
      }
    }
    await send('GET', '/canary-unknown/path', null)
    await send('PUT', '/api/tasks/canary-unknown', JSON.stringify(body))
    expect(log.lines('request')).toHaveLength(sent)
    expectNoCanary()
  })

  it('given a node that does not answer, behind a URL with keys, known to the settings or not', async () => {
    for (const rpcUrl of [...api.deps.config.RPC_URLS, 'http://x:canary-y@127.0.0.1:1/canary-z?key=canary-w']) {
      log.clear()
      agreeToEverything(api)
      Object.assign(
        api.chain,
        createChain({
          nodes: oneNode(rpcUrl),
          deployment: api.deps.deployment,
          findIndexed: () => null,
          isStale: () => false,
        }),
      )
      const { status } = await api.get('/api/tasks')
      expect(status).toBe(503)
      const [line] = log.lines('request failed')
      expect(line.err).toMatchObject({
        type: 'ChainUnavailable',
        cause: { message: expect.stringMatching(/HTTP|fetch/) },
      })
      expectNoCanary()
    }
    Object.assign(api.chain, healthyChain)
  })

  it('given a database that quotes the row it refuses, with the payment in it', async () => {
    log.clear()
    agreeToEverything(api)
    await api.sql`alter table intents add constraint no_payments check (payment_signature is null)`
    const create = aPaidCreate(api)
    const { status } = await create.roundTwo()
    await api.sql`alter table intents drop constraint no_payments`
    expect(status).toBe(500)
    const [line] = log.lines('request failed')
    expect(line.err).toMatchObject({
      type: 'PostgresError',
      code: '23514',
      place: expect.stringContaining('no_payments'),
    })
    expect(log.text()).not.toContain('ab'.repeat(65))
    expect(log.text()).not.toContain('Failing row')
    Object.assign(api.chain, healthyChain)
  })

  it('given a loop whose query fails over a value', async () => {
    log.clear()
    await new Promise<void>((resolve) => {
      const loop = startLoop({
        name: 'test',
        log: api.deps.log,
        metrics: { loopRan: () => resolve(loop.stop()) },
        run: async () => {
          await api.sql`select ${'canary-value'}::uuid`
          return 0
        },
      })
    })
    expect(log.lines('loop run failed')[0].err).toMatchObject({ type: 'PostgresError', code: '22P02' })
    expectNoCanary()
  })

  it('given anything else that is logged with a key, a payment or a URL in it', () => {
    log.clear()
    const payment = headers['PAYMENT-SIGNATURE']
    api.deps.log.info({ key: RELAYER_KEY, raw: SIGNATURE, payment, url: api.deps.config.RPC_URLS[0] }, SIGNATURE)
    api.deps.log.error({ err: new Error(`sent ${SIGNATURE} with ${payment}`) }, 'failed')
    api.deps.log.error({ err: new TypeError('bad', { cause: { canary: true } }) }, 'failed')
    expect(log.lines()).toHaveLength(3)
    expectNoCanary()
  })
})
