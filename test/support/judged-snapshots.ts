import fc from 'fast-check'
import type { TaskSnapshot } from '../../api/domain/task-snapshot.ts'
import type { TaskStatus } from '../../src/rules/task-status.ts'
import { aClaim, aContest, alice, bob, carol, EXPIRY, type Fate, stranger } from './task-snapshots.ts'

/** Carol judges, for a tenth; a stranger resolves. Every deadline that a status has is the expiry. */
const judges = {
  evaluator: carol,
  disputeResolver: stranger,
  evaluatorFeeBps: 1000,
  evaluationWindow: 3600n,
  appealWindow: 3600n,
} as const

/** A contest with an evaluator in which alice and bob stand, as it is in each status. */
export function aJudgedContest(status: TaskStatus, facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const standing = { [alice]: 'standing', [bob]: 'standing' } as const
  const awarded = facts.verdict === 'reject' ? [] : [alice]
  return withPhase(status, aContest(standing, { ...judges, status }), { awarded, facts })
}

/** A task of claim mode with an evaluator, claimed by alice, as it is in each status. */
export function aJudgedClaim(status: TaskStatus, facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const isDelivered = ['review', 'appealing', 'disputed', 'completed', 'cancelled'].includes(status)
  const entries = isDelivered ? aContest({ [alice]: 'standing' }) : {}
  const task = {
    ...aClaim(status),
    ...entries,
    ...judges,
    mode: 'claim',
    status,
    worker: alice,
    price: 5_000_000n,
  } as const
  return withPhase(status, task, { awarded: [], facts })
}

function withPhase(
  status: TaskStatus,
  task: TaskSnapshot,
  { awarded, facts }: { awarded: TaskSnapshot['verdictAwarded']; facts: Partial<TaskSnapshot> },
): TaskSnapshot {
  const isJudged = status === 'appealing' || status === 'disputed'
  return {
    ...task,
    ...(status === 'review' && { evaluatorDeadline: EXPIRY }),
    ...(isJudged && { appealDeadline: EXPIRY, verdict: 'partial', verdictAwarded: awarded, escrow: 4_500_000n }),
    ...(status === 'disputed' && { resolutionDeadline: EXPIRY }),
    ...facts,
  }
}

/** Any state a task with an evaluator can be in; carol, who judges, has entered none. */
export const anyJudged: fc.Arbitrary<TaskSnapshot> = fc
  .record({
    isContest: fc.boolean(),
    status: fc.constantFrom('open', 'claimed', 'review', 'appealing', 'disputed', 'completed', 'cancelled'),
    fates: fc.tuple(...[0, 1].map(() => fc.constantFrom<Fate>('none', 'standing', 'rejected'))),
    verdict: fc.constantFrom('approve', 'partial', 'reject'),
    awardsBoth: fc.boolean(),
    disputeResolver: fc.constantFrom(null, stranger),
    evaluationWindow: fc.constantFrom(1n, 3600n),
  })
  .map(({ isContest, status, fates, verdict, awardsBoth, disputeResolver, evaluationWindow }) => {
    // Only where somebody resolves is there a dispute.
    const terms = { evaluationWindow, disputeResolver: status === 'disputed' ? stranger : disputeResolver }
    if (!isContest) {
      return aJudgedClaim(status as TaskStatus, {
        ...terms,
        verdict: isDecided(status) ? (verdict as 'partial') : null,
      })
    }
    // A verdict needs somebody who stands, and a contest is nobody's to claim or to deliver alone.
    const home = status === 'claimed' || status === 'review' ? 'open' : (status as TaskStatus)
    const [ofAlice = 'none', ofBob = 'none'] = isDecided(status) ? (['standing', fates[1]] as const) : fates
    const { entries, submissionCount, activeSubmissionCount, soleActiveWorker } = aContest({
      [alice]: ofAlice,
      [bob]: ofBob,
    })
    const standing = [...entries].filter(([, { rejected }]) => !rejected).map(([worker]) => worker)
    const verdictAwarded = verdict === 'reject' ? [] : awardsBoth ? standing : standing.slice(0, 1)
    return aJudgedContest(home, {
      ...terms,
      entries,
      submissionCount,
      activeSubmissionCount,
      soleActiveWorker,
      ...(isDecided(status) && { verdict: verdict as 'partial', verdictAwarded }),
    })
  })

function isDecided(status: string): boolean {
  return status === 'appealing' || status === 'disputed'
}
