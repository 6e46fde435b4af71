import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Deps } from '../../../api/deps.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { parsedWithOwnSalt } from '../../support/parsed-request.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { succeeds } from './succeeds.ts'
import { wallets } from './wallets.ts'

let chain: MarketChain
const requester = wallets[0] as Address

beforeAll(async () => {
  chain = await openMarketChain()
})

afterAll(async () => {
  await chain?.close()
})

const bounty = { description: 'Count the leaves', reward: '1000', duration: 1, tags: [] as string[] }
const tenYears = 87_600

test.each<[string, object]>([
  ['of the minimum values', {}],
  ['of one second', { duration: 0.000_01 }],
  ['of ten years', { duration: tenYears }],
  ['with ten tags', { tags: Array.from({ length: 10 }, (_, index) => `tag ${index}`) }],
  ['with terms of other modes', { pitchDeadline: 1, bidDeadline: 1, auctionFloorPrice: '5', maxPrice: '7' }],
  ['in claim mode', { mode: 'claim' }],
  ['in claim mode with the whole reward as stake', { mode: 'claim', stakeRequired: true, stakeBps: 10_000 }],
  ['unlisted, with texts of a metric', { taskVisibility: 'unlisted', metricDescription: 'm', metricTarget: '9' }],
])('given a task %s, when the rules admit it, then the contract accepts it', async (_name, terms) => {
  const { admitted, succeeded } = await create({ ...bounty, ...terms })
  expect({ admitted, succeeded }).toEqual({ admitted: true, succeeded: true })
})

test.each<[string, object]>([
  ['with too small a reward', { reward: '999' }],
  ['with a reward above the maximum', { reward: (2n ** 72n).toString() }],
])('given a task %s, when the rules refuse it, then the contract refuses it too', async (_name, terms) => {
  const { admitted, succeeded } = await create({ ...bounty, ...terms })
  expect({ admitted, succeeded }).toEqual({ admitted: false, succeeded: false })
})

/** The request to the service, and its call. */
async function create(request: object) {
  const input = parsedWithOwnSalt(createTask, request)
  const market = { entriesPaused: false, platformFeeBps: 750, defaultHooks: [], drop: null }
  const admitted =
    createTask.preflight(market, input, { actor: requester, now: 0n, clocks: { head: 0n, current: 0n } }) === null
  const head = () => chain.client.getBlock()
  const deps = { deployment: chain.deployment, chain: { head } } as unknown as Deps
  const call = await createTask.prepare(deps, market, input, requester)
  if ('failure' in call) throw new Error(call.message)
  return { admitted, succeeded: await succeeds(chain, { actor: requester, data: call.data }) }
}
