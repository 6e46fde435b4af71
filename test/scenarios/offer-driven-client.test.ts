import { describe, test } from 'vitest'
import { createRandom } from '../chain/indexer/random.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask, anAuctionTask } from '../support/conformance-fixtures.ts'
import { byDepth } from '../support/depth.ts'
import type { Fields } from './actions.ts'
import { createChooser } from './choices.ts'
import { followOffers } from './offer-driven-client.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

/** Kinds of tasks that between them have entries, bids, a claim, a verdict and an appeal. */
const kinds: Record<string, { seed: number; task: Fields }> = {
  'a bounty': { seed: 2, task: {} },
  'a claim with an evaluator and a resolver': {
    seed: 802,
    task: aClaimTask({
      evaluator: 'evaluator',
      evaluatorFeeBps: 500,
      evaluationWindowHours: 1,
      appealWindowHours: 1,
      stakeBps: 100,
      disputeResolver: 'resolver',
    }),
  },
  'a pitch task': { seed: 302, task: { mode: 'pitch', pitchDeadline: 3600 } },
  'a reverse english auction': { seed: 1002, task: anAuctionTask('reverse_english') },
}
/** In the short version those that have most of the actions. */
const chosen = byDepth(['a claim with an evaluator and a resolver', 'a reverse english auction'], Object.keys(kinds))
const workers = ['alice', 'bob', 'carol'] as const
/** What was offered and done in any of them. */
const tried = new Set<string>()

describe('A client that only follows the offers of answers', () => {
  test.each(Object.entries(kinds).filter(([kind]) => chosen.includes(kind)))(
    'given %s, then it reaches its end and rates every awarded worker',
    async (_kind, { seed, task }) => {
      const random = createRandom(seed)
      // Of a task without an evaluator, that actor is a wallet without a part in it.
      const actors = [...workers, 'evaluator', ...(task.disputeResolver === undefined ? [] : ['resolver'])]
      const scenario = await startScenario(environment, { actors, task })
      const done = await followOffers(scenario, { workers, random, tried, choose: createChooser(environment, random) })
      for (const step of done) tried.add(step.split(' ', 1)[0] ?? '')
    },
  )
})
