import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit, admitBy } from '../../../../api/domain/actions/admit.ts'
import { assignEvaluator } from '../../../../api/domain/actions/assign-evaluator.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { taskStatuses } from '../../../../protocol/rules/task-status.ts'
import { aClaim, alice, aSnapshot, bob, carol, EXPIRY, requester, stranger } from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest } from '../evaluated-snapshots.ts'

/** Carol evaluates and the stranger resolves; every deadline is the expiry. Interface, "Evaluator flow". */

const [before, after] = [EXPIRY - 1n, EXPIRY]
type Wallet = `0x${string}`

function refusalOf<Action extends keyof ActionArgs>(
  action: Action,
  task: TaskSnapshot,
  request: { actor?: Wallet | null; now?: bigint; args: ActionArgs[Action] },
) {
  return admit(action, task, { actor: null, now: before, ...request })
}

const anAward = (worker: Wallet, amount = 1n, rank = 1) => ({ worker, amount, rank })
const aVerdict = (fields: Partial<ActionArgs['evaluate']> = {}): ActionArgs['evaluate'] => ({
  verdict: 'approve',
  score: 1000,
  confidence: 1000,
  awards: [],
  ...fields,
})
const rejection = aVerdict({ verdict: 'reject' })

describe('evaluate', () => {
  const delivery = anEvaluatedClaim('review')
  const contest = anEvaluatedContest('open')

  test('given the evaluator, known before any payment, then it is admitted', () => {
    const approval = aVerdict({ awards: [anAward(alice, 4_500_000n)] })
    for (const task of [delivery, contest]) {
      expect(refusalOf('evaluate', task, { args: approval })).toBeNull()
      expect(refusalOf('evaluate', task, { actor: carol, args: approval })).toBeNull()
      for (const actor of [requester, alice, stranger]) {
        expect(refusalOf('evaluate', task, { actor, args: approval })).toMatchObject({
          status: 403,
          failure: 'not_evaluator',
        })
      }
    }
  })

  test('given a delivery, then it is admitted before the evaluatorDeadline', () => {
    expect(refusalOf('evaluate', delivery, { now: before, args: aVerdict() })).toBeNull()
    for (const now of [EXPIRY, EXPIRY + 1n]) {
      expect(refusalOf('evaluate', delivery, { now, args: aVerdict() })).toMatchObject({
        status: 409,
        failure: 'deadline_passed',
      })
    }
  })

  test('given a contest, then it is admitted while it is open, before its expiry and for the window after it', () => {
    const end = EXPIRY + 3600n
    const approval = aVerdict({ awards: [anAward(alice, 4_500_000n)] })
    for (const now of [1n, before]) expect(refusalOf('evaluate', contest, { now, args: approval })).toBeNull()
    for (const now of [EXPIRY, end - 1n]) {
      for (const args of [approval, rejection]) expect(refusalOf('evaluate', contest, { now, args })).toBeNull()
    }
    for (const now of [end, end + 1n]) {
      expect(refusalOf('evaluate', contest, { now, args: rejection })).toMatchObject({
        status: 409,
        failure: 'deadline_passed',
      })
    }
  })

  test('given a contest without an active submission, then it is refused', () => {
    const empty = anEvaluatedContest('open', { activeSubmissionCount: 0, soleActiveWorker: null, entries: new Map() })
    expect(refusalOf('evaluate', empty, { args: rejection })).toMatchObject({
      status: 409,
      failure: 'no_active_submission',
    })
  })

  test('given no evaluator, then it is refused', () => {
    for (const task of [aSnapshot(), aClaim('review')]) {
      expect(refusalOf('evaluate', task, { args: rejection })).toMatchObject({ status: 409, failure: 'no_evaluator' })
    }
  })

  test.each(taskStatuses.filter((status) => status !== 'review'))(
    'given a delivery in %s, then it is refused',
    (status) => {
      expect(refusalOf('evaluate', anEvaluatedClaim(status), { args: rejection })).toMatchObject({
        status: 409,
        failure: 'wrong_state',
      })
    },
  )

  test.each(taskStatuses.filter((status) => status !== 'open'))(
    'given a contest in %s, then it is refused',
    (status) => {
      expect(refusalOf('evaluate', anEvaluatedContest(status), { args: rejection })).toMatchObject({
        status: 409,
        failure: 'wrong_state',
      })
    },
  )

  test.each<[string, Partial<ActionArgs['evaluate']>]>([
    ['approving without awards', {}],
    ['approving with an award', { awards: [anAward(alice)] }],
    ['partial, of all there is', { verdict: 'partial', awards: [anAward(alice, 4_500_000n)] }],
    ['rejecting', { verdict: 'reject' }],
    ['of the lowest score and confidence', { score: 0, confidence: 0 }],
    ['of the largest rank', { awards: [anAward(alice, 1n, 255)] }],
  ])('given a verdict over a delivery %s, then it is admitted', (_name, fields) => {
    expect(refusalOf('evaluate', delivery, { actor: carol, args: aVerdict(fields) })).toBeNull()
  })

  test.each<[string, Partial<ActionArgs['evaluate']>]>([
    ['approving with an award', { awards: [anAward(alice)] }],
    [
      'partial, that splits all there is',
      { verdict: 'partial', awards: [anAward(bob, 4_499_999n, 2), anAward(alice, 1n, 1)] },
    ],
    ['without a rank 1', { awards: [anAward(alice, 1n, 3), anAward(bob, 1n, 2)] }],
    ['rejecting', { verdict: 'reject' }],
  ])('given a verdict over a contest %s, then it is admitted', (_name, fields) => {
    expect(refusalOf('evaluate', contest, { actor: carol, now: EXPIRY, args: aVerdict(fields) })).toBeNull()
  })

  test.each<[string, Partial<ActionArgs['evaluate']>, string]>([
    ['a rejection', { verdict: 'reject' }, 'verdict'],
    ['a partial verdict of all there is', { verdict: 'partial', awards: [anAward(alice, 4_500_000n)] }, 'verdict'],
    ['an approval of a part', { awards: [anAward(alice, 4_499_999n)] }, 'awards'],
  ])('given a contest before its expiry, then %s is refused', (_name, fields, field) => {
    expect(refusalOf('evaluate', contest, { actor: carol, now: before, args: aVerdict(fields) })).toMatchObject({
      status: 409,
      failure: 'contest_still_open',
      field,
      message: expect.stringContaining('4500000'),
    })
  })

  const fiftyOne = Array.from({ length: 51 }, (_, index) => anAward(alice, 1n, index + 1))
  test.each<[string, Partial<ActionArgs['evaluate']>, number, string]>([
    ['invalid_score', { score: 1001 }, 400, 'score'],
    ['invalid_score', { score: -1 }, 400, 'score'],
    ['invalid_score', { confidence: 1001 }, 400, 'confidence'],
    ['awards_not_allowed', { verdict: 'reject', awards: [anAward(alice)] }, 400, 'awards'],
    ['no_winners', { verdict: 'partial' }, 400, 'awards'],
    ['no_winners', { verdict: 'approve' }, 400, 'awards'],
    ['too_many_winners', { awards: fiftyOne }, 400, 'awards'],
    ['zero_award', { awards: [anAward(alice), anAward(bob, 0n, 2)] }, 400, 'awards.1.amount'],
    ['invalid_rank', { awards: [anAward(alice, 1n, 0)] }, 400, 'awards.0.rank'],
    ['invalid_rank', { awards: [anAward(alice, 1n, 256)] }, 400, 'awards.0.rank'],
    ['duplicate_rank', { awards: [anAward(alice, 1n, 7), anAward(bob, 1n, 7)] }, 400, 'awards.1.rank'],
    ['duplicate_winner', { awards: [anAward(alice), anAward(alice, 1n, 2)] }, 400, 'awards.1.worker'],
    ['no_active_submission', { awards: [anAward(alice), anAward(stranger, 1n, 2)] }, 409, 'awards.1.worker'],
    ['no_active_submission', { awards: [anAward(carol)] }, 409, 'awards.0.worker'],
    ['awards_exceed_escrow', { awards: [anAward(alice, 4_500_001n)] }, 400, 'awards'],
    ['awards_exceed_escrow', { awards: [anAward(alice, 4_500_000n), anAward(bob, 1n, 2)] }, 400, 'awards'],
    ['awards_exceed_escrow', { awards: [anAward(alice, 2n ** 96n - 1n)] }, 400, 'awards'],
  ])('given a verdict over a contest, then it is refused as %s: %o', (failure, fields, status, field) => {
    const args = aVerdict(fields)
    expect(refusalOf('evaluate', contest, { args })).toMatchObject({ status, failure, field })
  })

  test('given a delivery, then its worker alone can be awarded', () => {
    expect(refusalOf('evaluate', delivery, { args: aVerdict({ awards: [anAward(bob)] }) })).toMatchObject({
      status: 409,
      failure: 'not_selected_worker',
      field: 'awards.0.worker',
    })
    const all = aVerdict({ awards: [anAward(alice, 4_500_001n)] })
    expect(refusalOf('evaluate', delivery, { args: all })).toMatchObject({ failure: 'awards_exceed_escrow' })
  })

  test('given an auction, then the awards are at most the accepted price less the fee', () => {
    // Of at most 5 USDC, 2 were accepted: the surplus has gone back, and a tenth is the evaluator's.
    const sold = { ...anEvaluatedClaim('review'), mode: 'auction', escrow: 2_000_000n } as const
    const award = (amount: bigint) => aVerdict({ awards: [anAward(alice, amount)] })
    expect(refusalOf('evaluate', sold, { args: award(1_800_000n) })).toBeNull()
    expect(refusalOf('evaluate', sold, { args: award(1_800_001n) })).toMatchObject({ failure: 'awards_exceed_escrow' })
  })
})

describe('appeal', () => {
  const args = {}

  test('given the assigned worker, then it is admitted before the appealDeadline', () => {
    const task = anEvaluatedClaim('appealing')
    expect(refusalOf('appeal', task, { actor: alice, args })).toBeNull()
    for (const now of [EXPIRY, EXPIRY + 1n]) {
      expect(refusalOf('appeal', task, { actor: alice, now, args })).toMatchObject({
        status: 409,
        failure: 'deadline_passed',
      })
    }
    for (const actor of [requester, bob, carol, stranger]) {
      expect(refusalOf('appeal', task, { actor, args })).toMatchObject({ status: 403, failure: 'not_worker' })
    }
  })

  test.each(['approve', 'partial', 'reject'] as const)(
    'given a contest with %s, then it is admitted to any worker with an active submission',
    (verdict) => {
      const task = anEvaluatedContest('appealing', { verdict })
      expect(refusalOf('appeal', task, { args })).toBeNull()
      for (const actor of [alice, bob]) expect(refusalOf('appeal', task, { actor, args })).toBeNull()
      for (const actor of [requester, carol, stranger]) {
        expect(refusalOf('appeal', task, { actor, args })).toMatchObject({ status: 403, failure: 'not_worker' })
      }
    },
  )

  test('given no resolver, then it is refused', () => {
    for (const anEvaluated of [anEvaluatedClaim, anEvaluatedContest]) {
      expect(refusalOf('appeal', anEvaluated('appealing', { disputeResolver: null }), { args })).toMatchObject({
        status: 409,
        failure: 'no_resolver',
      })
    }
  })

  test.each(taskStatuses.filter((status) => status !== 'appealing'))('given %s, then it is refused', (status) => {
    for (const anEvaluated of [anEvaluatedClaim, anEvaluatedContest]) {
      expect(refusalOf('appeal', anEvaluated(status), { args })).toMatchObject({ status: 409, failure: 'wrong_state' })
    }
  })
})

describe('resolve-dispute', () => {
  const args = { verdict: 'partial', awards: [anAward(alice)] } as const

  test('given the resolver, then it is admitted before the resolution deadline', () => {
    for (const task of [anEvaluatedClaim('disputed'), anEvaluatedContest('disputed')]) {
      expect(refusalOf('resolve_dispute', task, { args })).toBeNull()
      expect(refusalOf('resolve_dispute', task, { actor: stranger, args })).toBeNull()
      for (const actor of [requester, alice, carol]) {
        expect(refusalOf('resolve_dispute', task, { actor, args })).toMatchObject({
          status: 403,
          failure: 'not_dispute_resolver',
        })
      }
      for (const now of [EXPIRY, EXPIRY + 1n]) {
        expect(refusalOf('resolve_dispute', task, { now, args })).toMatchObject({
          status: 409,
          failure: 'deadline_passed',
        })
      }
    }
  })

  test('given an award, then it is at most what the evaluator’s fee leaves', () => {
    const task = anEvaluatedClaim('disputed')
    const award = (amount: bigint) => ({ verdict: 'approve' as const, awards: [anAward(alice, amount)] })
    expect(refusalOf('resolve_dispute', task, { args: { verdict: 'approve', awards: [] } })).toMatchObject({
      status: 400,
      failure: 'no_winners',
      field: 'awards',
    })
    expect(refusalOf('resolve_dispute', task, { args: award(4_500_000n) })).toBeNull()
    expect(refusalOf('resolve_dispute', task, { args: award(4_500_001n) })).toMatchObject({
      status: 400,
      failure: 'awards_exceed_escrow',
    })
  })

  test.each(taskStatuses.filter((status) => status !== 'disputed'))('given %s, then it is refused', (status) => {
    expect(refusalOf('resolve_dispute', anEvaluatedClaim(status), { args })).toMatchObject({ failure: 'wrong_state' })
  })
})

describe('finalize-verdict', () => {
  const args = {}

  test.each(['appealing', 'disputed'] as const)('given the time of %s has passed, then any account may', (status) => {
    for (const task of [anEvaluatedClaim(status), anEvaluatedContest(status)]) {
      expect(refusalOf('finalize_verdict', task, { now: before, args })).toMatchObject({
        status: 409,
        failure: 'too_early',
      })
      for (const now of [after, after + 1n]) {
        for (const actor of [null, requester, alice, carol, stranger, bob]) {
          expect(refusalOf('finalize_verdict', task, { actor, now, args })).toBeNull()
        }
      }
    }
  })

  test('given a dispute, then it waits for the resolver, not for the appealDeadline', () => {
    const task = anEvaluatedClaim('disputed', { appealDeadline: EXPIRY, resolutionDeadline: EXPIRY + 86_400n })
    expect(refusalOf('finalize_verdict', task, { now: EXPIRY + 86_399n, args })).toMatchObject({ failure: 'too_early' })
    expect(refusalOf('finalize_verdict', task, { now: EXPIRY + 86_400n, args })).toBeNull()
  })

  test.each(taskStatuses.filter((status) => status !== 'appealing' && status !== 'disputed'))(
    'given %s, then it is refused',
    (status) => {
      expect(refusalOf('finalize_verdict', anEvaluatedClaim(status), { now: after, args })).toMatchObject({
        status: 409,
        failure: 'wrong_state',
      })
    },
  )
})

describe('evaluator-timeout', () => {
  const args = {}

  test('given a delivery, then the requester may from the evaluatorDeadline on', () => {
    const task = anEvaluatedClaim('review')
    expect(refusalOf('evaluator_timeout', task, { now: before, args })).toMatchObject({
      status: 409,
      failure: 'too_early',
    })
    for (const now of [after, after + 1n]) {
      expect(refusalOf('evaluator_timeout', task, { actor: requester, now, args })).toBeNull()
      expect(refusalOf('evaluator_timeout', task, { actor: carol, now, args })).toMatchObject({ status: 403 })
    }
  })

  test('given a contest, then it is admitted after its expiry and the window, with and without active submissions', () => {
    const end = EXPIRY + 3600n
    const empty = anEvaluatedContest('open', { activeSubmissionCount: 0, entries: new Map() })
    for (const task of [anEvaluatedContest('open'), empty]) {
      expect(refusalOf('evaluator_timeout', task, { now: end - 1n, args })).toMatchObject({ failure: 'too_early' })
      for (const now of [end, end + 1n]) {
        expect(refusalOf('evaluator_timeout', task, { actor: requester, now, args })).toBeNull()
      }
    }
  })

  test('given no evaluator, then it is refused', () => {
    expect(refusalOf('evaluator_timeout', aSnapshot(), { now: after, args })).toMatchObject({ failure: 'no_evaluator' })
  })

  test.each(['open', 'claimed', 'pending_approval', 'appealing', 'disputed', 'completed'] as const)(
    'given a delivery in %s, then it is refused',
    (status) => {
      expect(refusalOf('evaluator_timeout', anEvaluatedClaim(status), { now: after, args })).toMatchObject({
        status: 409,
        failure: 'wrong_state',
      })
    },
  )
})

describe('a task that an evaluator decides', () => {
  test('given any time, then the requester neither accepts nor rejects', () => {
    const contest = anEvaluatedContest('open')
    for (const now of [before, after]) {
      const refusal = { status: 409, failure: 'evaluator_decides' }
      expect(refusalOf('accept', contest, { now, args: { worker: alice } })).toMatchObject(refusal)
      expect(refusalOf('reject_submission', contest, { now, args: { worker: alice } })).toMatchObject(refusal)
      const winners = [{ worker: alice, shareBps: 10_000 }]
      expect(refusalOf('accept_submissions', contest, { now, args: { winners } })).toMatchObject(refusal)
    }
  })

  test.each(['review', 'appealing', 'disputed'] as const)(
    'given %s, then accept, cancel and refund are refused',
    (status) => {
      for (const task of [anEvaluatedClaim(status), anEvaluatedContest(status)]) {
        for (const now of [before, after]) {
          const refusal = { status: 409, failure: 'wrong_state' }
          expect(refusalOf('accept', task, { now, args: { worker: alice } })).toMatchObject(refusal)
          expect(refusalOf('cancel', task, { now, args: {} })).toMatchObject(refusal)
          expect(refusalOf('refund_expired', task, { now, args: {} })).toMatchObject(refusal)
        }
      }
    },
  )

  test('given a contest without an entry, then it is cancelled and refunded as without an evaluator', () => {
    const empty = anEvaluatedContest('open', { submissionCount: 0, activeSubmissionCount: 0, entries: new Map() })
    expect(refusalOf('cancel', empty, { actor: requester, args: {} })).toBeNull()
    expect(refusalOf('refund_expired', empty, { actor: stranger, now: after, args: {} })).toBeNull()
    const entered = anEvaluatedContest('open')
    expect(refusalOf('cancel', entered, { args: {} })).toMatchObject({ failure: 'active_submissions_exist' })
    expect(refusalOf('refund_expired', entered, { now: after, args: {} })).toMatchObject({
      failure: 'active_submissions_exist',
    })
  })

  test('given the evaluator or the resolver, then entries of them are refused', () => {
    for (const worker of [carol, stranger]) {
      expect(refusalOf('submit', anEvaluatedContest('open'), { args: { worker } })).toMatchObject({
        status: 403,
        failure: 'judge_cannot_enter',
      })
    }
  })
})

describe('assigning an evaluator', () => {
  const terms = { evaluator: carol, evaluatorFeeBps: 0 }
  const assign = (task: TaskSnapshot, args: object = {}, actor: Wallet | null = requester) =>
    admitBy(assignEvaluator, task, { actor, now: after, args: { ...terms, ...args } })

  test('given an open task of any mode without an entry, then the requester may', () => {
    for (const mode of ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const) {
      expect(assign(aSnapshot({ mode }))).toBeNull()
    }
    expect(assign(aSnapshot(), {}, alice)).toMatchObject({ status: 403, failure: 'not_requester' })
  })

  test.each<[string, Partial<TaskSnapshot>]>([
    ['a submission, even a rejected one', { submissionCount: 1 }],
    ['a pitch', { mode: 'pitch', pitchCount: 1 }],
    ['a bid', { mode: 'auction', bidCount: 1 }],
    ['a forfeited claim', { mode: 'claim', claimRound: 1 }],
  ])('given %s, then it is refused', (_name, facts) => {
    expect(assign(aSnapshot(facts))).toMatchObject({ status: 409, failure: 'terms_locked' })
  })

  test('given an evaluator, or another status, then it is refused', () => {
    expect(assign(anEvaluatedContest('open', { submissionCount: 0 }))).toMatchObject({
      status: 409,
      failure: 'evaluator_assigned',
    })
    for (const status of taskStatuses.filter((candidate) => candidate !== 'open')) {
      expect(assign(aSnapshot({ status }))).toMatchObject({ status: 409, failure: 'wrong_state' })
    }
  })

  test('given terms, then they are checked as at a creation, and the requester before any payment', () => {
    expect(assign(aSnapshot(), { evaluator: requester }, null)).toMatchObject({
      status: 403,
      failure: 'requester_cannot_judge',
      field: 'evaluator',
    })
    expect(assign(aSnapshot(), { disputeResolver: carol })).toMatchObject({
      status: 400,
      failure: 'invalid_evaluator',
      field: 'disputeResolver',
    })
    // The platform's fee of the task is 750.
    expect(assign(aSnapshot(), { evaluatorFeeBps: 9250 })).toBeNull()
    expect(assign(aSnapshot(), { evaluatorFeeBps: 9251 })).toMatchObject({ status: 400, failure: 'fees_too_high' })
  })
})
