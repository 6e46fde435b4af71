import { expect, it } from 'vitest'
import type { MinedAt } from '../../../api/chain/chain.ts'
import { applyResolution } from '../../../api/relayer/confirmations/resolution.ts'
import { getIntent } from '../../support/bound-intent.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '10000', REVERTED_WRITES_PER_HOUR: '1' }, agreeToEverything)

/** A paid create that is bound, and then fails. */
async function aFailedCreate({ mined }: { mined: MinedAt | null }) {
  const create = aPaidCreate(api)
  const answer = create.roundTwo()
  await expect.poll(create.status, { interval: 20 }).toBe('recorded')
  const intent = await getIntent(api, await create.id())
  const decision = { next: 'fail', reason: 'for the test', refund: false } as const
  await api.sql.begin((tx) => applyResolution(tx, intent, { decision, mined }))
  return await answer
}

const minedAt = () => ({ txHash: aHash(), blockNumber: 1n, blockHash: aHash() })

it('given paid writes of one client fail before they are sent, or in the code of a contract wallet, then they count as none', async () => {
  for (const _ of [1, 2]) expect((await aFailedCreate({ mined: null })).status).toBe(409)
  api.chain.hasCode = async () => true
  for (const _ of [1, 2]) expect((await aFailedCreate({ mined: minedAt() })).status).toBe(409)
  api.chain.hasCode = async () => false
})

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
  expect(await next.status()).toBe('reserved')
  // Who has not paid yet is asked to: what is counted are reverts, not requests.
  expect((await aPaidCreate(api).roundOne()).status).toBe(402)
})
