import { describe, expect, test } from 'vitest'
import { actionNames } from '../../protocol/actions.ts'
import { createRandom } from '../chain/indexer/random.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask, anAuctionTask } from '../support/conformance-fixtures.ts'
import { deepTest } from '../support/deep-test.ts'
import { isDeep } from '../support/depth.ts'
import type { Fields } from '../support/scenarios/actions.ts'
import { createChooser } from '../support/scenarios/choices.ts'
import { followOffers } from '../support/scenarios/offer-driven-client.ts'
import { startScenario } from '../support/scenarios/scenario.ts'

const environment = openEnvironment()

const withEvaluator = { evaluator: 'evaluator', evaluatorFeeBps: 500, evaluationWindowHours: 1, appealWindowHours: 1 }

/** Every kind of task that can be created. */
const kinds: Record<string, Fields> = {
  bounty: {},
  'a claim': aClaimTask(),
  'a claim with a stake': aClaimTask({ stakeBps: 2500 }),
  'a pitch task': { mode: 'pitch', pitchDeadline: 3600 },
  'a benchmark': { mode: 'benchmark' },
  'a bounty with an evaluator': withEvaluator,
  'a bounty with an evaluator and a resolver': { ...withEvaluator, disputeResolver: 'resolver' },
  'a benchmark with an evaluator': { ...withEvaluator, mode: 'benchmark' },
  'a claim with an evaluator and a resolver': aClaimTask({
    ...withEvaluator,
    stakeBps: 100,
    disputeResolver: 'resolver',
  }),
  'an english auction': anAuctionTask('english'),
  'a reverse english auction': anAuctionTask('reverse_english'),
  'a dutch auction': anAuctionTask('dutch'),
  'a reverse dutch auction': anAuctionTask('reverse_dutch'),
}
/** Kinds of the usual run, which between them have entries, bids, a claim, a verdict and an appeal. */
const usualKinds = ['a bounty', 'a claim with an evaluator and a resolver', 'a pitch task', 'a reverse english auction']
/** Runs of a kind; in the deep tests all of them together take every action. */
const runsOf = (kind: string) => (isDeep ? [1, 2, 3, 4, 5, 6] : usualKinds.includes(kind) ? [2] : [])
const workers = ['alice', 'bob', 'carol'] as const
/** What was offered and done in any of them. */
const tried = new Set<string>()

describe('A client that only follows the offers of answers', () => {
  test.each(Object.keys(kinds).flatMap((kind) => runsOf(kind).map((run) => [kind, run] as const)))(
    'given %s, then it reaches its end and rates every awarded worker (run %i)',
    async (kind, run) => {
      const random = createRandom(Object.keys(kinds).indexOf(kind) * 100 + run)
      const task = kinds[kind] ?? {}
      // Of a task without an evaluator, that actor is a wallet without a part in it.
      const actors = [...workers, 'evaluator', ...(task.disputeResolver === undefined ? [] : ['resolver'])]
      const scenario = await startScenario(environment, { actors, task })
      const done = await followOffers(scenario, { workers, random, tried, choose: createChooser(environment, random) })
      for (const step of done) tried.add(step.split(' ', 1)[0] ?? '')
    },
  )

  test('given a delivery without a decision, then it reaches its end', async () => {
    const random = createRandom(9_000)
    const scenario = await startScenario(environment, { actors: [...workers, 'evaluator'], task: aClaimTask() })
    const choose = createChooser(environment, random)
    const done = await followOffers(scenario, { workers, random, tried, choose, neverAnswers: true })
    for (const step of done) tried.add(step.split(' ', 1)[0] ?? '')
  })

  deepTest('given all runs, then every action was offered and performed', async () => {
    expect(actionNames.filter((action) => !tried.has(action))).toEqual([])
  })
})
