import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    ENVIRONMENT: 'test',
    COMMIT_SHA: 'abc123',
    FREE_SUBMISSIONS: '4',
    SUBMISSION_CEILING: '9',
  })
})
afterAll(() => api.stop())

test('health says what runs, its limits, and how many writes hang', async () => {
  await api.seed.pendingIntent(11)
  await api.seed.pendingIntent(1)
  const { status, body } = await api.get('/api/health')
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'ok',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    environment: 'test',
    commitSha: 'abc123',
    limits: { freeSubmissionAllowance: 4, hardSubmissionCeiling: 9 },
    intents: { measuredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), staleNonTerminal: 1 },
  })
  expect(Date.parse(body.intents.measuredAt)).toBeLessThanOrEqual(Date.parse(body.timestamp))
})

test('network and hook configuration name their contracts with checksums', async () => {
  expect((await api.get('/api/network')).body).toEqual({
    networkName: localNetwork.name,
    chainId: localNetwork.chainId,
    usdcAddress: getAddress(localNetwork.usdc.address),
    feedbackBase: `${api.deps.config.PUBLIC_BASE_URL}/api/feedback/`,
  })
  const configuration = () => api.get('/api/hooks/attachment-configuration')
  expect((await configuration()).body).toEqual({ defaultHooks: [], maxHooks: 8, platformFeeBps: null })
  const hook = `0x${'ab'.repeat(20)}` as const
  await api.sql`insert into market_config ${api.sql({
    id: 'market',
    market: hook,
    forwarder: hook,
    usdc: hook,
    feeBps: 750,
    feeRecipient: null,
    identityRegistry: null,
    reputationRegistry: null,
    defaultHooks: [hook],
    paused: false,
    eventCount: 0,
  })}`
  expect((await configuration()).body).toEqual({ defaultHooks: [getAddress(hook)], maxHooks: 8, platformFeeBps: 750 })
})

test('without a database, reads are 503 with a reason', async () => {
  await api.sql.end()
  for (const path of ['/api/tasks', '/api/tasks/stats']) {
    const { status, body, headers } = await api.get(path)
    expect([status, body.code, body.service.reason]).toEqual([503, 'SERVICE_UNAVAILABLE', 'unclassified'])
    expect(headers.get('retry-after')).toBe('2')
  }
})
