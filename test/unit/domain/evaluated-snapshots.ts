import fc from 'fast-check'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import type { TaskStatus } from '../../../protocol/rules/task-status.ts'
import { verdicts } from '../../../protocol/rules/verdict.ts'
import { aClaim, aContest, alice, bob, carol, EXPIRY, type Fate, stranger } from '../../support/task-snapshots.ts'

/** Carol evaluates, for a tenth; a stranger resolves. Every deadline of a status is the expiry. */
const evaluationTerms = {
  evaluator: carol,
  disputeResolver: stranger,
  evaluatorFeeBps: 1000,
  evaluationWindow: 3600n,
  appealWindow: 3600n,
} as const

/** A contest with an evaluator and active submissions of alice and bob, in each status. */
export function anEvaluatedContest(status: TaskStatus, facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const standing = { [alice]: 'standing', [bob]: 'standing' } as const
  const awarded = facts.verdict === 'reject' ? [] : [alice]
  return withPhase(status, aContest(standing, { ...evaluationTerms, status }), { awarded, facts })
}

/** A task of claim mode with an evaluator, claimed by alice, in each status. */
export function anEvaluatedClaim(status: TaskStatus, facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const isDelivered = ['review', 'appealing', 'disputed', 'completed', 'cancelled'].includes(status)
  const entries = isDelivered ? aContest({ [alice]: 'standing' }) : {}
  const task = {
    ...aClaim(status),
    ...entries,
    ...evaluationTerms,
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
  const hasVerdict = status === 'appealing' || status === 'disputed'
  return {
    ...task,
    ...(status === 'review' && { evaluatorDeadline: EXPIRY }),
    ...(hasVerdict && { appealDeadline: EXPIRY, verdict: 'partial', verdictAwarded: awarded, escrow: 4_500_000n }),
    ...(status === 'disputed' && { resolutionDeadline: EXPIRY }),
    ...facts,
  }
}

/** Any state of a task with an evaluator; carol, the evaluator, has entered none. */
export const anyEvaluated: fc.Arbitrary<TaskSnapshot> = fc
  .record({
    isContest: fc.boolean(),
    status: fc.constantFrom('open', 'claimed', 'review', 'appealing', 'disputed', 'completed', 'cancelled'),
    fates: fc.tuple(...[0, 1].map(() => fc.constantFrom<Fate>('none', 'standing', 'rejected'))),
    verdict: fc.constantFrom(...verdicts),
    awardsBoth: fc.boolean(),
    disputeResolver: fc.constantFrom(null, stranger),
    evaluationWindow: fc.constantFrom(1n, 3600n),
  })
  .map(({ isContest, status, fates, verdict, awardsBoth, disputeResolver, evaluationWindow }) => {
    // Only a task with a resolver has disputes.
    const terms = { evaluationWindow, disputeResolver: status === 'disputed' ? stranger : disputeResolver }
    if (!isContest) {
      return anEvaluatedClaim(status as TaskStatus, {
        ...terms,
        verdict: isDecided(status) ? (verdict as 'partial') : null,
      })
    }
    // A verdict needs an active submission; a contest has no single worker who claims or delivers.
    const home = status === 'claimed' || status === 'review' ? 'open' : (status as TaskStatus)
    const [ofAlice = 'none', ofBob = 'none'] = isDecided(status) ? (['standing', fates[1]] as const) : fates
    const { entries, submissionCount, activeSubmissionCount, soleActiveWorker } = aContest({
      [alice]: ofAlice,
      [bob]: ofBob,
    })
    const standing = [...entries].filter(([, { rejected }]) => !rejected).map(([worker]) => worker)
    const verdictAwarded = verdict === 'reject' ? [] : awardsBoth ? standing : standing.slice(0, 1)
    return anEvaluatedContest(home, {
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
