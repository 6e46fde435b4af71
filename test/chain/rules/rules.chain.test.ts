import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { devAccount } from '../../../scripts/stack/dev-accounts.ts'
import { encodeCall, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { makeBounties } from './bounties.ts'
import { compare, listAdmitted, listRefusals } from './compare.ts'
import { readSnapshot } from './read-snapshot.ts'
import { makeRequests } from './requests.ts'

const SEED = 8195
const BOUNTIES = 40
const REQUESTS_A_KIND = 8

let chain: MarketChain
let random: Random

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
})

afterAll(async () => {
  await chain?.close()
})

/** Bounties are judged as they are after all of them were made. */
async function judge(count: number) {
  const bounties = await makeBounties(chain, random, count)
  return async () => {
    const tasks = await Promise.all(bounties.map((bounty) => readSnapshot(chain, bounty)))
    return await compare(chain, tasks, (task) => makeRequests(task, random, REQUESTS_A_KIND))
  }
}

test('given bounties in every state, when rules and contract judge the same requests, then they agree', async () => {
  const comparison = await (await judge(BOUNTIES))()

  expect(comparison.disagreements).toEqual([])
  // Agreement means something only where both answers occur, for every action and every refusal.
  expect(listAdmitted(comparison)).toEqual([
    ...['accept', 'accept_submissions', 'cancel', 'rate', 'refund_expired', 'reject_submission', 'submit', 'update'],
  ])
  expect(listRefusals(comparison)).toEqual(
    [
      'active_submissions_exist',
      'already_rated',
      'duplicate_winner',
      'invalid_expiry',
      'invalid_reward',
      'invalid_shares',
      'no_active_submission',
      'not_awarded',
      'nothing_to_update',
      'role_required',
      'terms_locked',
      'too_early',
      'too_late',
      'worker_rejected',
      'wrong_mode',
      'wrong_status',
      'zero_award',
    ].toSorted(),
  )
})

test('given the market is paused, when they judge again, then they agree', async () => {
  const judgeAgain = await judge(10)
  await chain.send({
    from: devAccount('owner').account.address,
    to: chain.deployment.market,
    data: encodeCall(taskMarketAbi, 'pause', []),
  })
  await chain.mine()

  const { disagreements, agreed } = await judgeAgain()

  expect(disagreements).toEqual([])
  expect([...agreed.keys()]).toContain('update market_paused')
})
