import { describe, expect, test } from 'vitest'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { aJudgedClaim, aJudgedContest } from '../../../support/judged-snapshots.ts'
import { alice, bob, carol, EXPIRY, requester, stranger, taskId } from '../../../support/task-snapshots.ts'

/** Carol judges and the stranger resolves. Interface, "pendingActions commands". */

const paid = { requiresPayment: true, paymentAmount: 1000n, targetWorker: null }
const free = { requiresPayment: false, paymentAmount: null, targetWorker: null }
const byEvaluator = { ...paid, role: 'evaluator', eligibleAddress: carol, action: 'evaluate', availableAfter: null }
const appealedBy = (worker: `0x${string}` | null) => ({
  ...paid,
  role: 'worker',
  eligibleAddress: worker,
  action: 'appeal',
  command: `task appeal ${taskId}`,
  availableAfter: null,
  availableUntil: EXPIRY,
})
const resolution = {
  ...paid,
  role: 'dispute_resolver',
  eligibleAddress: stranger,
  action: 'resolve_dispute',
  availableAfter: null,
  availableUntil: EXPIRY,
}
const finalization = {
  ...free,
  role: 'anyone',
  eligibleAddress: null,
  action: 'finalize_verdict',
  command: `task finalize-verdict ${taskId}`,
  availableAfter: EXPIRY,
  availableUntil: null,
}
const timeout = (availableAfter: bigint) => ({
  ...paid,
  role: 'requester',
  eligibleAddress: requester,
  action: 'evaluator_timeout',
  command: `task evaluator-timeout ${taskId}`,
  availableAfter,
  availableUntil: null,
})

/** What is offered besides what every open contest offers. */
function offersOf(task: TaskSnapshot, now: bigint) {
  return listPendingActions(task, now).filter(({ action }) => !['submit', 'update'].includes(action))
}

describe('a delivery', () => {
  const evaluate = {
    ...byEvaluator,
    command: `task evaluate ${taskId} --verdict <approve|reject|partial> --award ${alice}:<usdc>:<rank>`,
    availableUntil: EXPIRY,
  }

  test('in review: the evaluator judges, until the requester may take it back', () => {
    expect(offersOf(aJudgedClaim('review'), EXPIRY - 1n)).toEqual([evaluate])
    expect(offersOf(aJudgedClaim('review'), EXPIRY)).toEqual([timeout(EXPIRY)])
  })

  test('with a verdict: its worker appeals where somebody resolves, until anyone finalizes', () => {
    expect(offersOf(aJudgedClaim('appealing'), EXPIRY - 1n)).toEqual([appealedBy(alice)])
    expect(offersOf(aJudgedClaim('appealing'), EXPIRY)).toEqual([finalization])
    expect(offersOf(aJudgedClaim('appealing', { disputeResolver: null }), EXPIRY - 1n)).toEqual([])
  })

  test('in dispute: the resolver decides, until anyone finalizes', () => {
    const command = `task resolve-dispute ${taskId} --verdict <approve|partial> --award ${alice}:<usdc>:<rank>`
    expect(offersOf(aJudgedClaim('disputed'), EXPIRY - 1n)).toEqual([{ ...resolution, command }])
    expect(offersOf(aJudgedClaim('disputed'), EXPIRY)).toEqual([finalization])
  })
})

describe('a contest', () => {
  const end = EXPIRY + 3600n
  const evaluate = {
    ...byEvaluator,
    command: `task evaluate ${taskId} --verdict <approve|reject|partial> --award <worker>:<usdc>:<rank>`,
    availableUntil: end,
  }

  test('that is open: the evaluator may approve, and judge as he likes from the expiry until his window has passed', () => {
    const approve = { ...evaluate, command: evaluate.command.replace('<approve|reject|partial>', 'approve') }
    expect(offersOf(aJudgedContest('open'), EXPIRY - 1n)).toEqual([approve])
    for (const now of [EXPIRY, end - 1n]) expect(offersOf(aJudgedContest('open'), now)).toEqual([evaluate])
    expect(offersOf(aJudgedContest('open'), end)).toEqual([timeout(end)])
  })

  test('with one worker who stands: the command has his address', () => {
    const [offer] = offersOf(aJudgedContest('open', { soleActiveWorker: bob }), EXPIRY)
    expect(offer?.command).toContain(`--award ${bob}:<usdc>:<rank>`)
  })

  test('that nobody entered: nothing to judge, and the refund is for anyone', () => {
    const empty = aJudgedContest('open', { activeSubmissionCount: 0, soleActiveWorker: null, entries: new Map() })
    const actions = (now: bigint) => offersOf(empty, now).map(({ action, role }) => `${action} by ${role}`)
    expect(actions(EXPIRY - 1n)).toEqual(['cancel by requester'])
    const refunds = ['refund_expired by requester', 'refund_expired by anyone']
    expect(actions(EXPIRY)).toEqual(['cancel by requester', ...refunds])
    expect(actions(end)).toEqual(['cancel by requester', 'evaluator_timeout by requester', ...refunds])
  })

  test.each(['approve', 'partial', 'reject'] as const)(
    'with the verdict %s: any worker who stands appeals, by name where there is one',
    (verdict) => {
      const task = aJudgedContest('appealing', { verdict })
      expect(offersOf(task, EXPIRY - 1n)).toEqual([appealedBy(null)])
      expect(offersOf(task, EXPIRY)).toEqual([finalization])
      const alone = aJudgedContest('appealing', { verdict, soleActiveWorker: bob })
      expect(offersOf(alone, EXPIRY - 1n)).toEqual([appealedBy(bob)])
    },
  )
})
