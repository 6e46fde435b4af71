import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

describe('Health and stats', () => {
  test('GET /health returns ok, the time, the environment and the submission limits', async () => {
    const { status, body } = await environment.get('/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ok',
      environment: expect.stringMatching(/./),
      limits: { freeSubmissionAllowance: 5, hardSubmissionCeiling: expect.any(Number) },
      intents: { measuredAt: expect.any(String), staleNonTerminal: 0 },
    })
    expect(Date.parse(body.timestamp)).not.toBeNaN()
  })

  test('GET /tasks/stats grows by one task and its gross reward when a public task is created', async () => {
    const before = (await environment.get('/tasks/stats')).body
    await environment.createTask(await environment.aWallet(), { reward: '3000001' })
    const after = (await environment.get('/tasks/stats')).body
    expect(after).toEqual({
      count: before.count + 1,
      totalRewards: (BigInt(before.totalRewards) + 3_000_001n).toString(),
    })
  })

  test('GET /network returns the chain and its USDC', async () => {
    expect((await environment.get('/network')).body).toEqual({
      networkName: expect.any(String),
      chainId: localNetwork.chainId,
      usdcAddress: getAddress(localNetwork.usdc.address),
      feedbackBase: expect.stringMatching(/^http.*\/api\/feedback\/$/),
    })
  })
})
