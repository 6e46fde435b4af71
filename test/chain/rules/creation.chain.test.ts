import { type Address, BaseError, ExecutionRevertedError } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Deps } from '../../../api/deps.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { parsedWithOwnSalt } from '../../support/parsed-request.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
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

test.each<[string, object, isAccepted: boolean]>([
  ['of the minimum values', {}, true],
  ['of one second', { duration: 0.000_01 }, true],
  ['of ten years', { duration: tenYears }, true],
  ['with ten tags', { tags: Array.from({ length: 10 }, (_, index) => `tag ${index}`) }, true],
  ['with terms of other modes', { pitchDeadline: 1, bidDeadline: 1, auctionFloorPrice: '5', maxPrice: '7' }, true],
  ['in claim mode with the whole reward as stake', { mode: 'claim', stakeRequired: true, stakeBps: 10_000 }, true],
  ['with too small a reward', { reward: '999' }, false],
  ['with a reward above the maximum', { reward: (2n ** 72n).toString() }, false],
])('given a task %s, then rules and contract answer the same', async (_name, terms, isAccepted) => {
  expect(await create({ ...bounty, ...terms })).toEqual({ admitted: isAccepted, succeeded: isAccepted })
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
  const succeeded = await chain.client
    .call({ account: requester, to: chain.deployment.market, data: call.data })
    .then(() => true, isRevert)
  return { admitted, succeeded }
}

/** @throws what is no revert */
function isRevert(error: unknown): false {
  if (error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError)) return false
  throw error
}
