import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit, admitBy } from '../../../../api/domain/actions/admit.ts'
import { assignEvaluator } from '../../../../api/domain/actions/assign-evaluator.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { taskStatuses } from '../../../../src/rules/task-status.ts'
import { aJudgedClaim, aJudgedContest } from '../../../support/judged-snapshots.ts'
import { aClaim, alice, aSnapshot, bob, carol, EXPIRY, requester, stranger } from '../../../support/task-snapshots.ts'

/** Carol judges and the stranger resolves; every deadline is the expiry. Interface, "Evaluator flow". */

const [before, after] = [EXPIRY - 1n, EXPIRY]
type Wallet = `0x${string}`

function judge<Action extends keyof ActionArgs>(
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
  const delivery = aJudgedClaim('review')
  const contest = aJudgedContest('open')

  test('is the evaluator’s, who is known before anybody has paid', () => {
    const approval = aVerdict({ awards: [anAward(alice, 4_500_000n)] })
    for (const task of [delivery, contest]) {
      expect(judge('evaluate', task, { args: approval })).toBeNull()
      expect(judge('evaluate', task, { actor: carol, args: approval })).toBeNull()
      for (const actor of [requester, alice, stranger]) {
        expect(judge('evaluate', task, { actor, args: approval })).toMatchObject({
          status: 403,
          failure: 'role_required',
        })
      }
    }
  })

  test('of a delivery is possible before the evaluatorDeadline', () => {
    expect(judge('evaluate', delivery, { now: before, args: aVerdict() })).toBeNull()
    for (const now of [EXPIRY, EXPIRY + 1n]) {
      expect(judge('evaluate', delivery, { now, args: aVerdict() })).toMatchObject({
        status: 409,
        failure: 'too_late',
      })
    }
  })

  test('of a contest is possible while it is open, before its expiry and for the window after it', () => {
    const end = EXPIRY + 3600n
    const approval = aVerdict({ awards: [anAward(alice, 4_500_000n)] })
    for (const now of [1n, before]) expect(judge('evaluate', contest, { now, args: approval })).toBeNull()
    for (const now of [EXPIRY, end - 1n]) {
      for (const args of [approval, rejection]) expect(judge('evaluate', contest, { now, args })).toBeNull()
    }
    for (const now of [end, end + 1n]) {
      expect(judge('evaluate', contest, { now, args: rejection })).toMatchObject({ status: 409, failure: 'too_late' })
    }
  })

  test('of a contest in which nobody stands is refused', () => {
    const empty = aJudgedContest('open', { activeSubmissionCount: 0, soleActiveWorker: null, entries: new Map() })
    expect(judge('evaluate', empty, { args: rejection })).toMatchObject({
      status: 409,
      failure: 'no_active_submission',
    })
  })

  test('needs an evaluator', () => {
    for (const task of [aSnapshot(), aClaim('review')]) {
      expect(judge('evaluate', task, { args: rejection })).toMatchObject({ status: 409, failure: 'no_evaluator' })
    }
  })

  test.each(taskStatuses.filter((status) => status !== 'review'))('of a delivery is not possible in %s', (status) => {
    expect(judge('evaluate', aJudgedClaim(status), { args: rejection })).toMatchObject({
      status: 409,
      failure: 'wrong_status',
    })
  })

  test.each(taskStatuses.filter((status) => status !== 'open'))('of a contest is not possible in %s', (status) => {
    expect(judge('evaluate', aJudgedContest(status), { args: rejection })).toMatchObject({
      status: 409,
      failure: 'wrong_status',
    })
  })

  test.each<[string, Partial<ActionArgs['evaluate']>]>([
    ['approving without awards', {}],
    ['approving with an award', { awards: [anAward(alice)] }],
    ['partial, of all there is', { verdict: 'partial', awards: [anAward(alice, 4_500_000n)] }],
    ['rejecting', { verdict: 'reject' }],
    ['of the lowest score and confidence', { score: 0, confidence: 0 }],
    ['of the largest rank', { awards: [anAward(alice, 1n, 255)] }],
  ])('a verdict over a delivery %s is admitted', (_name, fields) => {
    expect(judge('evaluate', delivery, { actor: carol, args: aVerdict(fields) })).toBeNull()
  })

  test.each<[string, Partial<ActionArgs['evaluate']>]>([
    ['approving with an award', { awards: [anAward(alice)] }],
    [
      'partial, that splits all there is',
      { verdict: 'partial', awards: [anAward(bob, 4_499_999n, 2), anAward(alice, 1n, 1)] },
    ],
    ['without a rank 1', { awards: [anAward(alice, 1n, 3), anAward(bob, 1n, 2)] }],
    ['rejecting', { verdict: 'reject' }],
  ])('a verdict over a contest %s is admitted', (_name, fields) => {
    expect(judge('evaluate', contest, { actor: carol, now: EXPIRY, args: aVerdict(fields) })).toBeNull()
  })

  test.each<[string, Partial<ActionArgs['evaluate']>, string]>([
    ['a rejection', { verdict: 'reject' }, 'verdict'],
    ['a partial verdict of all there is', { verdict: 'partial', awards: [anAward(alice, 4_500_000n)] }, 'verdict'],
    ['an approval of a part', { awards: [anAward(alice, 4_499_999n)] }, 'awards'],
  ])('given a contest before its expiry, then %s is refused', (_name, fields, field) => {
    expect(judge('evaluate', contest, { actor: carol, now: before, args: aVerdict(fields) })).toMatchObject({
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
  ])('a verdict over a contest is refused as %s: %o', (failure, fields, status, field) => {
    const args = aVerdict(fields)
    expect(judge('evaluate', contest, { args })).toMatchObject({ status, failure, field })
  })

  test('over a delivery awards its worker alone', () => {
    expect(judge('evaluate', delivery, { args: aVerdict({ awards: [anAward(bob)] }) })).toMatchObject({
      status: 409,
      failure: 'not_selected_worker',
      field: 'awards.0.worker',
    })
    const all = aVerdict({ awards: [anAward(alice, 4_500_001n)] })
    expect(judge('evaluate', delivery, { args: all })).toMatchObject({ failure: 'awards_exceed_escrow' })
  })

  test('over an auction awards at most the accepted price less the fee', () => {
    // Of 5 USDC at most, 2 were accepted: the surplus has gone back, and a tenth is the evaluator's.
    const sold = { ...aJudgedClaim('review'), mode: 'auction', escrow: 2_000_000n } as const
    const award = (amount: bigint) => aVerdict({ awards: [anAward(alice, amount)] })
    expect(judge('evaluate', sold, { args: award(1_800_000n) })).toBeNull()
    expect(judge('evaluate', sold, { args: award(1_800_001n) })).toMatchObject({ failure: 'awards_exceed_escrow' })
  })
})

describe('appeal', () => {
  const args = {}

  test('is the assigned worker’s, before the appealDeadline', () => {
    const task = aJudgedClaim('appealing')
    expect(judge('appeal', task, { actor: alice, args })).toBeNull()
    for (const now of [EXPIRY, EXPIRY + 1n]) {
      expect(judge('appeal', task, { actor: alice, now, args })).toMatchObject({ status: 409, failure: 'too_late' })
    }
    for (const actor of [requester, bob, carol, stranger]) {
      expect(judge('appeal', task, { actor, args })).toMatchObject({ status: 403, failure: 'role_required' })
    }
  })

  test.each(['approve', 'partial', 'reject'] as const)(
    'in a contest with %s is for any worker who stands',
    (verdict) => {
      const task = aJudgedContest('appealing', { verdict })
      expect(judge('appeal', task, { args })).toBeNull()
      for (const actor of [alice, bob]) expect(judge('appeal', task, { actor, args })).toBeNull()
      for (const actor of [requester, carol, stranger]) {
        expect(judge('appeal', task, { actor, args })).toMatchObject({ status: 403, failure: 'role_required' })
      }
    },
  )

  test('needs somebody to resolve it', () => {
    for (const aJudged of [aJudgedClaim, aJudgedContest]) {
      expect(judge('appeal', aJudged('appealing', { disputeResolver: null }), { args })).toMatchObject({
        status: 409,
        failure: 'no_resolver',
      })
    }
  })

  test.each(taskStatuses.filter((status) => status !== 'appealing'))('is not possible in %s', (status) => {
    for (const aJudged of [aJudgedClaim, aJudgedContest]) {
      expect(judge('appeal', aJudged(status), { args })).toMatchObject({ status: 409, failure: 'wrong_status' })
    }
  })
})

describe('resolve-dispute', () => {
  const args = { verdict: 'partial', awards: [anAward(alice)] } as const

  test('is the resolver’s, before the end of his time', () => {
    for (const task of [aJudgedClaim('disputed'), aJudgedContest('disputed')]) {
      expect(judge('resolve_dispute', task, { args })).toBeNull()
      expect(judge('resolve_dispute', task, { actor: stranger, args })).toBeNull()
      for (const actor of [requester, alice, carol]) {
        expect(judge('resolve_dispute', task, { actor, args })).toMatchObject({ status: 403, failure: 'role_required' })
      }
      for (const now of [EXPIRY, EXPIRY + 1n]) {
        expect(judge('resolve_dispute', task, { now, args })).toMatchObject({ status: 409, failure: 'too_late' })
      }
    }
  })

  test('names an award, of at most what the evaluator’s fee has left', () => {
    const task = aJudgedClaim('disputed')
    const award = (amount: bigint) => ({ verdict: 'approve' as const, awards: [anAward(alice, amount)] })
    expect(judge('resolve_dispute', task, { args: { verdict: 'approve', awards: [] } })).toMatchObject({
      status: 400,
      failure: 'no_winners',
      field: 'awards',
    })
    expect(judge('resolve_dispute', task, { args: award(4_500_000n) })).toBeNull()
    expect(judge('resolve_dispute', task, { args: award(4_500_001n) })).toMatchObject({
      status: 400,
      failure: 'awards_exceed_escrow',
    })
  })

  test.each(taskStatuses.filter((status) => status !== 'disputed'))('is not possible in %s', (status) => {
    expect(judge('resolve_dispute', aJudgedClaim(status), { args })).toMatchObject({ failure: 'wrong_status' })
  })
})

describe('finalize-verdict', () => {
  const args = {}

  test.each(['appealing', 'disputed'] as const)('is for anyone, when the time of %s has passed', (status) => {
    for (const task of [aJudgedClaim(status), aJudgedContest(status)]) {
      expect(judge('finalize_verdict', task, { now: before, args })).toMatchObject({
        status: 409,
        failure: 'too_early',
      })
      for (const now of [after, after + 1n]) {
        for (const actor of [null, requester, alice, carol, stranger, bob]) {
          expect(judge('finalize_verdict', task, { actor, now, args })).toBeNull()
        }
      }
    }
  })

  test('waits for the resolver, not for the appealDeadline any more', () => {
    const task = aJudgedClaim('disputed', { appealDeadline: EXPIRY, resolutionDeadline: EXPIRY + 86_400n })
    expect(judge('finalize_verdict', task, { now: EXPIRY + 86_399n, args })).toMatchObject({ failure: 'too_early' })
    expect(judge('finalize_verdict', task, { now: EXPIRY + 86_400n, args })).toBeNull()
  })

  test.each(taskStatuses.filter((status) => status !== 'appealing' && status !== 'disputed'))(
    'is not possible in %s',
    (status) => {
      expect(judge('finalize_verdict', aJudgedClaim(status), { now: after, args })).toMatchObject({
        status: 409,
        failure: 'wrong_status',
      })
    },
  )
})

describe('evaluator-timeout', () => {
  const args = {}

  test('of a delivery is the requester’s, from the evaluatorDeadline on', () => {
    const task = aJudgedClaim('review')
    expect(judge('evaluator_timeout', task, { now: before, args })).toMatchObject({ status: 409, failure: 'too_early' })
    for (const now of [after, after + 1n]) {
      expect(judge('evaluator_timeout', task, { actor: requester, now, args })).toBeNull()
      expect(judge('evaluator_timeout', task, { actor: carol, now, args })).toMatchObject({ status: 403 })
    }
  })

  test('of a contest is possible from its expiry and the window on, whoever stands', () => {
    const end = EXPIRY + 3600n
    const empty = aJudgedContest('open', { activeSubmissionCount: 0, entries: new Map() })
    for (const task of [aJudgedContest('open'), empty]) {
      expect(judge('evaluator_timeout', task, { now: end - 1n, args })).toMatchObject({ failure: 'too_early' })
      for (const now of [end, end + 1n]) {
        expect(judge('evaluator_timeout', task, { actor: requester, now, args })).toBeNull()
      }
    }
  })

  test('needs an evaluator', () => {
    expect(judge('evaluator_timeout', aSnapshot(), { now: after, args })).toMatchObject({ failure: 'no_evaluator' })
  })

  test.each(['open', 'claimed', 'pending_approval', 'appealing', 'disputed', 'completed'] as const)(
    'of a delivery is not possible in %s',
    (status) => {
      expect(judge('evaluator_timeout', aJudgedClaim(status), { now: after, args })).toMatchObject({
        status: 409,
        failure: 'wrong_status',
      })
    },
  )
})

describe('while an evaluator decides', () => {
  test('the requester neither accepts nor rejects, before and after the expiry', () => {
    const contest = aJudgedContest('open')
    for (const now of [before, after]) {
      const refusal = { status: 409, failure: 'evaluator_decides' }
      expect(judge('accept', contest, { now, args: { worker: alice } })).toMatchObject(refusal)
      expect(judge('reject_submission', contest, { now, args: { worker: alice } })).toMatchObject(refusal)
      const winners = [{ worker: alice, shareBps: 10_000 }]
      expect(judge('accept_submissions', contest, { now, args: { winners } })).toMatchObject(refusal)
    }
  })

  test.each(['review', 'appealing', 'disputed'] as const)('nobody accepts, cancels or refunds in %s', (status) => {
    for (const task of [aJudgedClaim(status), aJudgedContest(status)]) {
      for (const now of [before, after]) {
        const refusal = { status: 409, failure: 'wrong_status' }
        expect(judge('accept', task, { now, args: { worker: alice } })).toMatchObject(refusal)
        expect(judge('cancel', task, { now, args: {} })).toMatchObject(refusal)
        expect(judge('refund_expired', task, { now, args: {} })).toMatchObject(refusal)
      }
    }
  })

  test('a contest that nobody entered is cancelled and refunded as without one', () => {
    const empty = aJudgedContest('open', { submissionCount: 0, activeSubmissionCount: 0, entries: new Map() })
    expect(judge('cancel', empty, { actor: requester, args: {} })).toBeNull()
    expect(judge('refund_expired', empty, { actor: stranger, now: after, args: {} })).toBeNull()
    const entered = aJudgedContest('open')
    expect(judge('cancel', entered, { args: {} })).toMatchObject({ failure: 'active_submissions_exist' })
    expect(judge('refund_expired', entered, { now: after, args: {} })).toMatchObject({
      failure: 'active_submissions_exist',
    })
  })

  test('who judges does not enter', () => {
    for (const worker of [carol, stranger]) {
      expect(judge('submit', aJudgedContest('open'), { args: { worker } })).toMatchObject({
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

  test('is the requester’s, while nobody entered an open task of any mode', () => {
    for (const mode of ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const) {
      expect(assign(aSnapshot({ mode }))).toBeNull()
    }
    expect(assign(aSnapshot(), {}, alice)).toMatchObject({ status: 403, failure: 'role_required' })
  })

  test.each<[string, Partial<TaskSnapshot>]>([
    ['a submission, even a rejected one', { submissionCount: 1 }],
    ['a pitch', { mode: 'pitch', pitchCount: 1 }],
    ['a bid', { mode: 'auction', bidCount: 1 }],
    ['a forfeited claim', { mode: 'claim', claimRound: 1 }],
  ])('is refused after %s', (_name, facts) => {
    expect(assign(aSnapshot(facts))).toMatchObject({ status: 409, failure: 'terms_locked' })
  })

  test('is refused where there is one, and in every other status', () => {
    expect(assign(aJudgedContest('open', { submissionCount: 0 }))).toMatchObject({
      status: 409,
      failure: 'evaluator_assigned',
    })
    for (const status of taskStatuses.filter((candidate) => candidate !== 'open')) {
      expect(assign(aSnapshot({ status }))).toMatchObject({ status: 409, failure: 'wrong_status' })
    }
  })

  test('looks at the terms as a creation does, and knows the requester before anybody has paid', () => {
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
    // The platform takes 750 of the task.
    expect(assign(aSnapshot(), { evaluatorFeeBps: 9250 })).toBeNull()
    expect(assign(aSnapshot(), { evaluatorFeeBps: 9251 })).toMatchObject({ status: 400, failure: 'fees_too_high' })
  })
})
