import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { RowAccessFacts } from '../../../api/domain/access/access-facts.ts'
import { canViewTask, isInScope, scopeOf } from '../../../api/domain/visibility.ts'
import {
  type Role,
  roles,
  type State,
  type SubmissionVisibility,
  seesSubmissions,
  seesTask,
  states,
  submissionVisibilities,
  taskVisibilities,
} from '../../api/access/expectations.ts'

/**
 * Every task visibility, submission visibility, state and role against the tables of the specification. `test/api/access/matrix.test.ts`
 * asks a part of them over HTTP.
 */

const addressOf = (role: Role): Address => `0x${String(roles.indexOf(role) + 1).padStart(40, '0')}`
const withoutWallet: readonly Role[] = ['grantHolder', 'otherGrantHolder', 'anonymous']
const submitters = ['alice', 'bob'] as const

function factsOf(
  taskVisibility: (typeof taskVisibilities)[number],
  submissionVisibility: SubmissionVisibility,
  state: State,
): RowAccessFacts {
  const isAwarded = state === 'completed'
  const assigned = state === 'rejected' ? [] : [addressOf('worker')]
  const isPrivate = taskVisibility === 'private'
  return {
    requester: addressOf('requester'),
    evaluator: addressOf('evaluator'),
    disputeResolver: addressOf('resolver'),
    taskVisibility,
    submissionVisibility,
    status: state === 'rejected' ? 'cancelled' : state,
    verdict: state === 'rejected' || state === 'appealing' ? 'reject' : null,
    participants: isPrivate ? [...assigned, ...(isAwarded ? [addressOf('alice')] : [])] : [],
    viewers: isPrivate ? [addressOf('invited')] : [],
    awardedWorkers: isAwarded ? [addressOf('alice')] : [],
  }
}

const cases = taskVisibilities.flatMap((taskVisibility) =>
  submissionVisibilities.flatMap((mode) => states.map((state) => ({ taskVisibility, mode, state }))),
)

describe('the access policy', () => {
  test.each(cases)(
    'given a $taskVisibility task, $state, whose submissions are $mode, then each role sees what the tables say',
    ({ taskVisibility, mode, state }) => {
      const facts = factsOf(taskVisibility, mode, state)
      const seen = roles.map((role) => {
        const address = withoutWallet.includes(role) ? null : addressOf(role)
        const viewer = { address, holdsGrant: role === 'grantHolder' }
        const scope = scopeOf('submissions', facts, viewer)
        const submissions = scope && submitters.filter((worker) => isInScope(scope, addressOf(worker)))
        return { role, task: canViewTask(facts, address, viewer.holdsGrant), submissions }
      })
      const expected = roles.map((role) => {
        const task = seesTask(taskVisibility, state, role)
        return { role, task, submissions: task ? seesSubmissions(mode, state, role) : null }
      })
      expect(seen).toEqual(expected)
    },
  )
})
