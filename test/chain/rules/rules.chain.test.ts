import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { admit } from '../../../api/domain/actions/admit.ts'
import type { Refusal } from '../../../api/domain/refusal.ts'
import { devAccount } from '../../../scripts/stack/dev-accounts.ts'
import { encodeCall, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { makeBounties } from './bounties.ts'
import { readSnapshot } from './read-snapshot.ts'
import { type ChainRequest, makeRequests } from './requests.ts'
import { succeeds } from './succeeds.ts'

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

function refusalOf(task: Parameters<typeof admit>[1], request: ChainRequest): Refusal | null {
  const { action, ...rest } = request
  return admit(action, task, rest as never)
}

/** Requests on which rules and contract disagree, and how often they agreed on each answer. */
async function compare(bounties: Awaited<ReturnType<typeof makeBounties>>) {
  const disagreements: unknown[] = []
  const agreed = new Map<string, number>()
  for (const bounty of bounties) {
    const task = await readSnapshot(chain, bounty)
    for (const request of makeRequests(task, random, REQUESTS_A_KIND)) {
      const refusal = refusalOf(task, request)
      const succeeded = await succeeds(chain, request)
      if ((refusal === null) !== succeeded) disagreements.push({ refusal, succeeded, request, task })
      const answer = `${request.action} ${refusal?.failure ?? 'admitted'}`
      agreed.set(answer, (agreed.get(answer) ?? 0) + 1)
    }
  }
  return { disagreements, agreed }
}

const isAdmitted = (answer: string) => answer.endsWith(' admitted')

test('given bounties in every state, when rules and contract judge the same requests, then they agree', async () => {
  const { disagreements, agreed } = await compare(await makeBounties(chain, random, BOUNTIES))

  expect(disagreements).toEqual([])
  // Agreement means something only where both answers occur, for every action and every refusal.
  expect([...agreed.keys()].filter(isAdmitted).toSorted()).toEqual(
    [
      'accept admitted',
      'accept_submissions admitted',
      'cancel admitted',
      'rate admitted',
      'refund_expired admitted',
      'reject_submission admitted',
      'submit admitted',
      'update admitted',
    ].toSorted(),
  )
  const refusals = new Set(
    [...agreed.keys()].filter((answer) => !isAdmitted(answer)).map((answer) => answer.split(' ')[1]),
  )
  expect([...refusals].toSorted()).toEqual(
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
  const bounties = await makeBounties(chain, random, 10)
  await chain.send({
    from: devAccount('owner').account.address,
    to: chain.deployment.market,
    data: encodeCall(taskMarketAbi, 'pause', []),
  })
  await chain.mine()

  const { disagreements, agreed } = await compare(bounties)

  expect(disagreements).toEqual([])
  expect([...agreed.keys()]).toContain('update market_paused')
})
