import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { indexUpTo } from '../observability/operator-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await indexUpTo(api, 1n, START)
})
afterAll(() => api.stop())

/** A head that is so many seconds behind the host. */
function at(lag: bigint, { isLocal = false } = {}) {
  api.deps.deployment.local = isLocal
  api.chain.now = START
  api.chain.current = START + lag
}

const create = () =>
  api.post(
    '/api/tasks',
    { description: 'Name it', reward: '1000000', duration: 24, tags: [] },
    { 'X-Service-Idempotency-Key': crypto.randomUUID() },
  )

describe('A write', () => {
  test.each([60n, -60n])('given a head %s seconds behind the host, then it gets its price', async (lag) => {
    at(lag)
    expect((await create()).status).toBe(402)
  })

  test.each([61n, -61n])('given a head %s seconds behind the host, then it is 503 and names the chain', async (lag) => {
    at(lag)
    const { status, headers, body } = await create()
    expect([status, body.service.detail]).toEqual([503, 'node_unavailable'])
    const age = lag > 0n ? `${lag} seconds old` : `${-lag} seconds ahead`
    expect(body.error).toContain(`chain ${localNetwork.chainId} is ${age}`)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('given a local chain that was idle for an hour, then it gets its price', async () => {
    at(3_600n, { isLocal: true })
    expect((await create()).status).toBe(402)
  })

  test('given a head that stands still, then reads are answered', async () => {
    at(325n)
    expect((await api.get('/api/tasks')).status).toBe(200)
  })
})

describe('A signed moment', () => {
  test.each([-360n, 360n])('%s seconds from the host’s clock is admitted', async (seconds) => {
    at(12n)
    const wallet = anActor()
    const timestamp = START + 12n + seconds
    const { chainId, forwarder } = api.deps.deployment
    const message = `service:consent:off:${chainId}:${forwarder}:${wallet.address}:${timestamp}`
    const signature = await wallet.account.signMessage({ message })
    const body = { walletAddress: wallet.address, required: false, timestamp: Number(timestamp), signature }
    expect((await api.post('/api/wallet/consent', body)).status).toBe(200)
  })

  test.each([
    [-400n, 'window_too_short'],
    [400n, 'window_too_long'],
  ])('%s seconds from both clocks is refused as %s', async (seconds, detail) => {
    at(12n)
    const body = {
      walletAddress: anActor().address,
      required: false,
      timestamp: Number(START + 12n + seconds),
      signature: `0x${'11'.repeat(65)}`,
    }
    const { status, body: refused } = await api.post('/api/wallet/consent', body)
    expect([status, refused.service.detail, refused.issues[0].path]).toEqual([400, detail, 'timestamp'])
  })
})

describe('A read identity', () => {
  const read = (expires: bigint) => {
    const headers = {
      'X-Service-Caller-Address': anActor().address,
      'X-Service-Caller-Signature': `0x${'11'.repeat(65)}`,
      'X-Service-Read-Expires': String(expires),
    }
    return api.get(`/api/agents/inbox?address=${anActor().address}`, headers)
  }

  test('of a day by the caller’s own clock is no error, with the head behind; a wrong signature stays anonymous', async () => {
    at(12n)
    expect((await read(START + 12n + 86_400n)).status).toBe(200)
    expect((await read(START + 12n + 86_460n)).status).toBe(200)
  })
})
