import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { termsHashOf } from '../../../api/domain/terms-hash.ts'
import { devAccount } from '../../../scripts/stack/dev-accounts.ts'
import { encodeCall, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { makeClaims } from './claims.ts'
import { compare, listAdmitted, listRefusals } from './compare.ts'
import { readClaimSnapshot } from './read-claim-snapshot.ts'
import { makeRequests } from './requests.ts'

const SEED = 8195
const TASKS = 50
const REQUESTS_A_KIND = 6

let chain: MarketChain
let random: Random

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
})

afterAll(async () => {
  await chain?.close()
})

const judge = (tasks: readonly TaskSnapshot[]) =>
  compare(chain, tasks, (task) => makeRequests(task, random, REQUESTS_A_KIND))

test('given tasks to be claimed in every state, when rules and contract judge requests, then they agree', async () => {
  const claims = await makeClaims(chain, random, TASKS)
  const tasks = await Promise.all(claims.map((claim) => readClaimSnapshot(chain, claim)))

  const comparison = await judge(tasks)

  expect(comparison.disagreements).toEqual([])
  const states = new Set(tasks.map(({ status, claimRound }) => `${status} ${claimRound > 0 ? 'again' : 'first'}`))
  expect([...states].toSorted()).toEqual(
    [
      ...['cancelled first', 'claimed again', 'claimed first', 'completed first', 'expired first', 'open again'],
      ...['open first', 'pending_approval first', 'review first'],
    ].toSorted(),
  )
  expect(listAdmitted(comparison)).toEqual(
    ['accept', 'cancel', 'claim', 'forfeit', 'object', 'rate', 'refund_expired', 'submit', 'update'].toSorted(),
  )
  expect(listRefusals(comparison)).toEqual(
    [
      ...['already_objected', 'already_rated', 'invalid_expiry', 'invalid_reward', 'judge_cannot_enter'],
      ...['no_active_submission', 'not_awarded', 'nothing_to_update', 'role_required', 'terms_changed'],
      ...['too_early', 'too_late', 'wrong_mode', 'wrong_status'],
    ].toSorted(),
  )
})

test('given tasks in every state, when their terms are hashed, then it is the hash of the contract', async () => {
  const claims = await makeClaims(chain, random, 20)
  for (const claim of claims) {
    const onChain = await chain.client.readContract({
      ...{ address: chain.deployment.market, abi: taskMarketAbi, functionName: 'taskTermsHash', args: [claim.id] },
    })
    expect(termsHashOf(await readClaimSnapshot(chain, claim))).toBe(onChain)
  }
})

test('given the market is paused, when they judge again, then they agree, and nobody claims', async () => {
  const claims = await makeClaims(chain, random, 30)
  await chain.send({
    from: devAccount('owner').account.address,
    to: chain.deployment.market,
    data: encodeCall(taskMarketAbi, 'pause', []),
  })
  await chain.mine()

  const comparison = await judge(await Promise.all(claims.map((claim) => readClaimSnapshot(chain, claim))))

  expect(comparison.disagreements).toEqual([])
  expect([...comparison.agreed.keys()]).toContain('claim market_paused')
  expect(listAdmitted(comparison)).not.toContain('claim')
})
