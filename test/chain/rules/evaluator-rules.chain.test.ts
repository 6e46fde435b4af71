import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { encodeMarketCall } from '../../../api/chain/market-call.ts'
import { admitBy } from '../../../api/domain/actions/admit.ts'
import { assignEvaluator } from '../../../api/domain/actions/assign-evaluator.ts'
import { toEvaluatorTerms } from '../../../api/domain/creation/evaluation.ts'
import { isContest } from '../../../src/rules/selectors.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { aBounty, createTasks, wallets } from './bounties.ts'
import { compare, listAdmitted, listRefusals } from './compare.ts'
import { makeEvaluatorRequests } from './evaluator-requests.ts'
import { makeJudged } from './judged.ts'
import { type JudgedTask, readJudgedSnapshot } from './read-judged-snapshot.ts'
import { succeeds } from './succeeds.ts'

// Ten thousand calls of the node.
vi.setConfig({ testTimeout: 180_000 })

const SEED = 8195
const TASKS = 120
const REQUESTS_A_KIND = 14

let chain: MarketChain
let random: Random
let judged: JudgedTask[]

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
  judged = await makeJudged(chain, random, TASKS)
})

afterAll(async () => {
  await chain?.close()
})

test('given tasks with evaluators in every state, when rules and contract judge requests, then they agree', async () => {
  const tasks = await Promise.all(judged.map((task) => readJudgedSnapshot(chain, task)))

  const comparison = await compare(chain, tasks, (task) => makeEvaluatorRequests(task, random, REQUESTS_A_KIND))

  expect(comparison.disagreements).toEqual([])
  // Agreement means something only where every state, both answers and every refusal occur.
  const states = new Set(tasks.map(({ mode, status }) => `${isContest(mode) ? 'contest' : 'delivery'} ${status}`))
  const flow = ['appealing', 'disputed', 'completed', 'cancelled']
  expect([...states]).toEqual(
    expect.arrayContaining([
      ...['contest open', 'delivery claimed', 'delivery review', 'delivery pending_approval'],
      ...flow.flatMap((status) => [`contest ${status}`, `delivery ${status}`]),
    ]),
  )
  expect(listAdmitted(comparison)).toEqual(
    expect.arrayContaining(['appeal', 'evaluate', 'evaluator_timeout', 'finalize_verdict', 'resolve_dispute']),
  )
  const refused = Object.entries(refusals).flatMap(([action, failures]) => failures.map((why) => `${action} ${why}`))
  expect([...comparison.agreed.keys()]).toEqual(expect.arrayContaining(refused))
  expect(listRefusals(comparison)).toEqual(expect.arrayContaining([...ofAwards, 'evaluator_decides']))
})

/** Of an award, whoever decides on it. */
const ofAwards = [
  ...['too_many_winners', 'zero_award', 'invalid_rank', 'duplicate_rank', 'duplicate_winner', 'awards_exceed_escrow'],
  ...['not_selected_worker', 'no_active_submission'],
]
/** Of each move by itself. */
const refusals = {
  evaluate: [
    ...['invalid_score', 'awards_not_allowed', 'no_winners', 'no_evaluator'],
    ...['role_required', 'too_late', 'wrong_status'],
  ],
  resolve_dispute: ['no_winners', 'role_required', 'too_late', 'wrong_status'],
  appeal: ['role_required', 'no_resolver', 'too_late', 'wrong_status'],
  finalize_verdict: ['too_early', 'wrong_status'],
  evaluator_timeout: ['role_required', 'no_evaluator', 'too_early', 'wrong_status'],
}

test('given tasks in every state, when an evaluator is named, then rules and contract agree', async () => {
  const agreed = new Set<string>()
  const terms = aBounty({ reward: 1000n, duration: 3600 })
  const fresh = await createTasks(
    chain,
    wallets.map((requester) => ({ requester, terms })),
  )
  const all = [...judged, ...fresh.map(({ id }) => ({ id, deliverables: new Map() }))]
  for (const task of await Promise.all(all.map((one) => readJudgedSnapshot(chain, one)))) {
    for (let request = 0; request < 8; request += 1) {
      const args = someTerms()
      const actor = random.chance(0.8) ? task.requester : random.pick(wallets)
      const refusal = admitBy(assignEvaluator, task, { actor, now: task.expiryTime, args })
      const { data } = encodeMarketCall(chain.deployment.market, 'assignEvaluator', [task.id, toEvaluatorTerms(args)])
      const succeeded = await succeeds(chain, { actor, data, now: task.expiryTime })
      expect({ refusal, admitted: refusal === null, args, task }).toMatchObject({ admitted: succeeded })
      agreed.add(refusal?.failure ?? 'admitted')
    }
  }
  expect([...agreed].toSorted()).toEqual(
    [
      ...['admitted', 'appeal_window_too_short', 'evaluator_assigned', 'fees_too_high', 'invalid_evaluator'],
      ...['requester_cannot_judge', 'role_required', 'terms_locked', 'wrong_status'],
    ].toSorted(),
  )
})

/** Mostly fine; the market takes 7.5 % of every task here. */
function someTerms() {
  const disputeResolver = random.chance(0.3) ? undefined : random.pick(wallets)
  return {
    evaluator: random.pick(wallets),
    disputeResolver,
    evaluatorFeeBps: random.pick([0, 100, 9250, 9251]),
    ...random.pick([{}, { evaluationWindowHours: 1n }]),
    ...random.pick([{}, { appealWindowHours: 299n }, { appealWindowHours: 300n }]),
  }
}
