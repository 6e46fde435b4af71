import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MinedAt } from '../../../api/chain/chain.ts'
import { findBoundIntent } from '../../../api/intents/intents.queries.ts'
import { applyResolution } from '../../../api/relayer/confirmations/resolution.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

let api: TestApi
beforeEach(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '10000', REVERTED_WRITES_PER_HOUR: '1' })
  agreeToEverything(api)
})
afterEach(() => api.stop())

/** A paid create that is bound, and then fails. */
async function aFailedCreate({ mined }: { mined: MinedAt | null }) {
  const create = aPaidCreate(api)
  const answer = create.roundTwo()
  const findId = async () =>
    (
      await api.sql<{ id: string }[]>`
      select id from intents where idempotency_key = ${create.key} and status = 'recorded'`
    )[0]?.id
  await expect.poll(findId, { interval: 20 }).toBeDefined()
  const intent = await findBoundIntent(api.sql, (await findId()) ?? '')
  if (intent === null) throw new Error('it is not bound')
  const decision = { next: 'fail', reason: 'for the test', refund: false } as const
  await api.sql.begin((tx) => applyResolution(tx, intent, { decision, mined }))
  return await answer
}

const minedAt = () => ({ txHash: aHash(), blockNumber: 1n, blockHash: aHash() })

describe('paid writes of one client that fail', () => {
  it('given one reverted on chain, then the next one is 429 after its payment was checked, and nothing is bound', async () => {
    const failed = await aFailedCreate({ mined: minedAt() })
    expect([failed.status, failed.headers.get('ratelimit')]).toEqual([
      409,
      expect.stringContaining('"revertedWrites";r=0'),
    ])
    const next = aPaidCreate(api)
    const refused = await next.roundTwo()
    expect(refused).toMatchObject({ status: 429, body: { service: { reason: 'unclassified' } } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const [row] = await api.sql`select status from intents where idempotency_key = ${next.key}`
    expect(row).toEqual({ status: 'reserved' })
    // Who has not paid yet is asked to: what is counted are reverts, not requests.
    expect((await aPaidCreate(api).roundOne()).status).toBe(402)
  })

  it('given one failed before it was sent, then it counts as none', async () => {
    expect((await aFailedCreate({ mined: null })).status).toBe(409)
    expect((await aFailedCreate({ mined: null })).status).toBe(409)
  })

  it('given the code of a contract wallet reverts, then that is of the gas of such calls, and of no client', async () => {
    api.chain.hasCode = async () => true
    for (const _ of [1, 2]) expect((await aFailedCreate({ mined: minedAt() })).status).toBe(409)
  })
})
