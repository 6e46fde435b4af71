import { describe, expect, test } from 'vitest'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { alice, bob, carol, EXPIRY, requester, stranger, taskId } from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest } from '../evaluated-snapshots.ts'

/** Carol evaluates and the stranger resolves. Interface, "pendingActions commands". */

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

/** The offers besides those of every open contest. */
function offersOf(task: TaskSnapshot, now: bigint) {
  return listPendingActions(task, now).filter(({ action }) => !['submit', 'update'].includes(action))
}

describe('a delivery', () => {
  const evaluate = {
    ...byEvaluator,
    command: `task evaluate ${taskId} --verdict <approve|reject|partial> --award ${alice}:<usdc>:<rank>`,
    availableUntil: EXPIRY,
  }

  test('given review, then the evaluator decides, until the requester may time them out', () => {
    expect(offersOf(anEvaluatedClaim('review'), EXPIRY - 1n)).toEqual([evaluate])
    expect(offersOf(anEvaluatedClaim('review'), EXPIRY)).toEqual([timeout(EXPIRY)])
  })

  test('given a verdict and a resolver, then its worker may appeal, until any account finalizes', () => {
    expect(offersOf(anEvaluatedClaim('appealing'), EXPIRY - 1n)).toEqual([appealedBy(alice)])
    expect(offersOf(anEvaluatedClaim('appealing'), EXPIRY)).toEqual([finalization])
    expect(offersOf(anEvaluatedClaim('appealing', { disputeResolver: null }), EXPIRY - 1n)).toEqual([])
  })

  test('given a dispute, then the resolver decides, until any account finalizes', () => {
    const command = `task resolve-dispute ${taskId} --verdict <approve|partial> --award ${alice}:<usdc>:<rank>`
    expect(offersOf(anEvaluatedClaim('disputed'), EXPIRY - 1n)).toEqual([{ ...resolution, command }])
    expect(offersOf(anEvaluatedClaim('disputed'), EXPIRY)).toEqual([finalization])
  })
})

describe('a contest', () => {
  const end = EXPIRY + 3600n
  const evaluate = {
    ...byEvaluator,
    command: `task evaluate ${taskId} --verdict <approve|reject|partial> --award <worker>:<usdc>:<rank>`,
    availableUntil: end,
  }

  test('given it is open, then the evaluator may approve, and give any verdict from the expiry until the window ends', () => {
    const approve = { ...evaluate, command: evaluate.command.replace('<approve|reject|partial>', 'approve') }
    expect(offersOf(anEvaluatedContest('open'), EXPIRY - 1n)).toEqual([approve])
    for (const now of [EXPIRY, end - 1n]) expect(offersOf(anEvaluatedContest('open'), now)).toEqual([evaluate])
    expect(offersOf(anEvaluatedContest('open'), end)).toEqual([timeout(end)])
  })

  test('given one worker with an active submission, then the command has the address', () => {
    const [offer] = offersOf(anEvaluatedContest('open', { soleActiveWorker: bob }), EXPIRY)
    expect(offer?.command).toContain(`--award ${bob}:<usdc>:<rank>`)
  })

  test('given no entry, then there is nothing to evaluate, and the refund is for any account', () => {
    const empty = anEvaluatedContest('open', { activeSubmissionCount: 0, soleActiveWorker: null, entries: new Map() })
    const actions = (now: bigint) => offersOf(empty, now).map(({ action, role }) => `${action} by ${role}`)
    expect(actions(EXPIRY - 1n)).toEqual(['cancel by requester'])
    const refunds = ['refund_expired by requester', 'refund_expired by anyone']
    expect(actions(EXPIRY)).toEqual(['cancel by requester', ...refunds])
    expect(actions(end)).toEqual(['cancel by requester', 'evaluator_timeout by requester', ...refunds])
  })

  test.each(['approve', 'partial', 'reject'] as const)(
    'given the verdict %s, then any worker with an active submission may appeal, by name where there is one',
    (verdict) => {
      const task = anEvaluatedContest('appealing', { verdict })
      expect(offersOf(task, EXPIRY - 1n)).toEqual([appealedBy(null)])
      expect(offersOf(task, EXPIRY)).toEqual([finalization])
      const alone = anEvaluatedContest('appealing', { verdict, soleActiveWorker: bob })
      expect(offersOf(alone, EXPIRY - 1n)).toEqual([appealedBy(bob)])
    },
  )
})
